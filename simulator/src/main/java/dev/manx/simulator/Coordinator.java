/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.select.Selector;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.source.Draw;
import java.util.SplittableRandom;

/**
 * Plans requests by a strategy and a view, and sends their reads, which {@link ReadEnds} ends. All
 * coordinators share the {@link Request} for planning, since only one plans at a time.
 */
final class Coordinator {
  private final World world;
  private final int self;
  final Strategy strategy;
  final View view;
  private final Selector selector;
  private final FanoutPlanner planner;
  private final Gate<Read> gate;
  private final SplittableRandom random;
  private final boolean bound;
  private long gateDueNanos = Long.MAX_VALUE;
  private final Planning planning;
  final Copier copier;
  final ReadEnds ends;

  /** Null if all nodes are always equally near, or nothing is selected. */
  private final Hops hops;

  /** Null if deciding and receiving cost nothing. */
  final CoordinatorCpu cpu;

  Coordinator(World world, int self, Strategy strategy, SplittableRandom random) {
    this.world = world;
    this.self = self;
    this.strategy = strategy;
    this.random = random;
    selector = strategy.selector();
    planner = strategy.planner();
    planner.servedAtOnce(world.model.readThreads());
    gate = strategy.newGate();
    bound = strategy.bound() != null;
    boolean knowsFacts = !strategy.facts().isEmpty();
    hops = bound ? null : Hops.of(world.model);
    view = new View(world.model.nodes(), knowsFacts || hops != null);
    planning = new Planning(world, self, bound, gate != null);
    copier = new Copier(world, this, planner, view);
    ends = new ReadEnds(world, this, hops, knowsFacts);
    boolean works = world.model.cpu().atCoordinators();
    cpu = works ? new CoordinatorCpu(world.model, world.calendar) : null;
  }

  /** Plans a request that has just arrived, once a core has done the work for it. */
  void begin(Draw draw, Times times, Flight flight) {
    long now = world.calendar.now();
    long due = cpu == null ? now : cpu.planned(messages(draw), now);
    if (due > now) {
      cpu.await(due, World.PLAN, world.unplanned.add(draw, times, flight, this).index);
    } else {
      plan(draw, times, flight);
    }
  }

  /** Reads that a request sends: one to each replica that is asked. */
  private int messages(Draw draw) {
    int messages = 0;
    for (int read = 0, reads = draw.reads(); read < reads; read++) {
      int[] listed = draw.replicas(read);
      int replicas = listed == null ? world.model.replicationFactor() : listed.length;
      messages += Math.min(draw.contacts(read), replicas);
    }
    return messages;
  }

  /** Plans a request with the present knowledge, and sends the reads that are due at once. */
  void plan(Draw draw, Times times, Flight flight) {
    Request request = world.request;
    request.begin(world.calendar.now(), random, world.model.nodes());
    planning.plan(request, draw, times, strategy, view);
    int reads = draw.reads();
    long now = world.calendar.now();
    int[] order = request.order();
    boolean paged = draw.paged() && (planner.paged() || draw.staysPaged());
    Read last = null;
    for (int i = 0; i < reads; i++) {
      int at = order[i];
      Read read = planning.read(request, at, draw, times, flight);
      if (paged && last != null) {
        last.after = read;
        flight.waiting = flight.waiting == null ? read : flight.waiting;
        last = read;
        continue;
      }
      last = read;
      long delay = request.sendDelayNanos(at);
      if (delay > 0) {
        world.calendar.at(now + delay, World.SEND, read.index);
      } else {
        release(read);
      }
    }
    drain();
  }

  /** Releases a read according to the plan; a gate may still hold it. */
  void release(Read read) {
    for (Read one = read; one != null; one = one.nextContact) {
      if (gate == null || !gate.offer(one)) {
        send(one);
      } else {
        drain();
      }
    }
  }

  /** Sends the reads that the gate lets pass, and schedules the next attempt. */
  void drain() {
    if (gate == null) {
      return;
    }
    long now = world.calendar.now();
    for (Read read = gate.release(now, view); read != null; read = gate.release(now, view)) {
      send(read);
    }
    long next = gate.nextReleaseNanos(now);
    if (next < gateDueNanos) {
      gateDueNanos = next;
      world.calendar.at(Math.max(next, now + 1), World.GATE, self);
    }
  }

  /** Recomputes what is computed on a timer. */
  void tick() {
    long now = world.calendar.now();
    if (hops != null) {
      hops.tick(view, now);
    }
    strategy.tick(view, world.model.nodes(), now);
    drain();
  }

  void gateDue() {
    // An attempt that was scheduled before an earlier one would otherwise schedule another, for
    // ever.
    if (world.calendar.now() >= gateDueNanos) {
      gateDueNanos = Long.MAX_VALUE;
      drain();
    }
  }

  private void send(Read read) {
    depart(read, true);
    Twins twins = read.twins;
    if (twins != null) {
      twins.firstSentNanos = read.sentNanos;
    }
    if (twins != null && twins.rule() != Copies.FORWARDED) {
      read.holds++;
      world.calendar.at(world.calendar.now() + twins.copyAfterNanos, World.COPY, read.index);
    } else if (twins != null && planner.rescueAfterNanos() != Long.MAX_VALUE) {
      read.holds++;
      long due = world.calendar.now() + planner.rescueAfterNanos();
      world.calendar.at(due, World.RESCUE, read.index);
    }
  }

  /** Sends a copy, with a ticket if this coordinator is the sender. */
  void depart(Read read, boolean ticket) {
    read.sentNanos = world.calendar.now();
    world.checks.sent(read.number);
    world.left();
    if (ticket && !bound) {
      read.ticketOpen = true;
      view.opened(read.node, read.forecastNanos);
      selector.sent(read.node, read.forecastNanos);
    }
    world.deliver(World.ARRIVE, read);
  }
}
