/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Calendar;
import dev.manx.simulator.source.Draw;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests that wait for their coordinators' cores, created when needed and reused. Confined to
 * one thread.
 */
final class Unplanned {
  /** A request that has arrived and is not planned yet. */
  static final class Arrived {
    /** Its index, the payload of its event. */
    final int index;

    final Draw draw = new Draw();
    final Times times = new Times();
    Flight flight;
    Coordinator coordinator;

    private Arrived(int index) {
      this.index = index;
    }
  }

  private final List<Arrived> all = new ArrayList<>();
  private final ArrayDeque<Arrived> free = new ArrayDeque<>();

  /** Keeps a copy of a request, which its caller may reuse. */
  Arrived add(Draw draw, Times times, Flight flight, Coordinator coordinator) {
    Arrived arrived = free.isEmpty() ? further() : free.pop();
    arrived.draw.copy(draw);
    arrived.times.copy(times, draw);
    arrived.flight = flight;
    arrived.coordinator = coordinator;
    return arrived;
  }

  private Arrived further() {
    if (all.size() == Calendar.PAYLOADS) {
      throw new IllegalStateException(
          "more than " + all.size() + " requests not planned: the coordinators have too much work");
    }
    Arrived arrived = new Arrived(all.size());
    all.add(arrived);
    return arrived;
  }

  /** Plans the request of an index, which may then be reused, if its coordinator is ready now. */
  void due(int index) {
    Arrived arrived = all.get(index);
    if (!arrived.coordinator.cpu.ends(World.PLAN, index)) {
      return;
    }
    arrived.coordinator.plan(arrived.draw, arrived.times, arrived.flight);
    arrived.flight = null;
    free.push(arrived);
  }
}
