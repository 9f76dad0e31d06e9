/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.fanout.FanoutPlanner;

/** Sends the second copies of a coordinator's reads. Confined to one thread. */
final class Copier {
  private final World world;
  private final Coordinator coordinator;
  private final FanoutPlanner planner;
  private final View view;

  Copier(World world, Coordinator coordinator, FanoutPlanner planner, View view) {
    this.world = world;
    this.coordinator = coordinator;
    this.planner = planner;
    this.view = view;
  }

  /** Handles the time for a second copy of a read, if it is still needed. */
  void due(Read first) {
    Twins twins = first.twins;
    if (!twins.tied() && !twins.copied && !twins.beingWritten) {
      late(first);
      return;
    }
    if (twins.rule() == Copies.FORWARDED) {
      Replica replica = world.replicas[first.node];
      if (replica.defers(first)) {
        return;
      }
      if (first.place == Read.Place.QUEUED
          && planner.mayPassTo(twins.copyNode(first), view, world.calendar.now())
          && replica.mayForward()) {
        send(first, first.priority);
      }
    } else if (!twins.answered && !twins.copied && !twins.beingWritten && mayCopy(first)) {
      send(first, first.priority);
    }
    world.pool.release(first);
  }

  /**
   * Handles the time to check whether a read's replica has stalled. A read that the replica has
   * passed on is rescued only once its copy was cancelled because the read has started: a copy
   * under way is as good as a rescue.
   */
  void rescue(Read first) {
    Twins twins = first.twins;
    if (twins.answered || twins.first != first) {
      world.pool.release(first);
      return;
    }
    long now = world.calendar.now();
    long elapsed = now - twins.firstSentNanos;
    long wait =
        planner.onTimeForNanos(twins.rank, first.forecastNanos, elapsed, first.node, view, now);
    if (wait <= 0 && twins.second != null) {
      wait = planner.rescueAfterNanos();
    } else if (wait <= 0 && mayCopy(first)) {
      twins.rescued();
      send(first, planner.copyPriority(first.priority, twins.cost, first.flight.open));
      world.pool.release(first);
      return;
    }
    // The reason against a copy may no longer exist when the read is twice as old.
    world.calendar.at(now + Math.max(1, wait > 0 ? wait : elapsed), World.RESCUE, first.index);
  }

  private boolean mayCopy(Read first) {
    long elapsed = world.calendar.now() - first.twins.firstSentNanos;
    return planner.mayCopy(
        first.forecastNanos,
        elapsed,
        first.node,
        first.twins.copyNode(first),
        view,
        world.calendar.now());
  }

  /**
   * Sends the copy of a late read, now or once the remaining reads of its request may have copies.
   */
  private void late(Read first) {
    Twins twins = first.twins;
    Flight flight = first.flight;
    if (twins.answered || flight.open == 0) {
      world.pool.release(first);
      return;
    }
    if (!twins.late) {
      long now = world.calendar.now();
      long elapsed = now - twins.firstSentNanos;
      long wait =
          planner.onTimeForNanos(twins.rank, first.forecastNanos, elapsed, first.node, view, now);
      if (wait > 0) {
        world.calendar.at(now + wait, World.COPY, first.index);
        return;
      }
      twins.late = true;
      flight.late++;
    }
    twins.nextDue = flight.due;
    flight.due = first;
    sendDue(flight);
  }

  /** Records that a read of a request was answered or failed. */
  void readEnded(Twins twins, Flight flight) {
    if (twins != null && twins.late) {
      flight.late--;
    }
    if (flight.due != null) {
      sendDue(flight);
    }
  }

  /** Sends the copies of a request that are due, if they may go now. */
  private void sendDue(Flight flight) {
    if (flight.open > 0 && !planner.copiesNow(flight.reads, flight.open, flight.late)) {
      return;
    }
    Read first = flight.due;
    flight.due = null;
    while (first != null) {
      Read next = first.twins.nextDue;
      first.twins.nextDue = null;
      sendOrWait(first, flight);
      first = next;
    }
  }

  private void sendOrWait(Read first, Flight flight) {
    Twins twins = first.twins;
    if (twins.answered || flight.open == 0) {
      world.pool.release(first);
      return;
    }
    if (mayCopy(first)) {
      send(first, planner.copyPriority(first.priority, twins.cost, flight.open));
      world.pool.release(first);
    } else {
      // The reason against a copy may no longer exist when the read is twice as old.
      long now = world.calendar.now();
      long later = now + Math.max(1, now - twins.firstSentNanos);
      world.calendar.at(later, World.COPY, first.index);
    }
  }

  /** Sends a second copy; one of the coordinator waits until a core has written it. */
  private void send(Read first, long priority) {
    boolean handedOn = first.twins.rule() == Copies.FORWARDED;
    long now = world.calendar.now();
    long due = handedOn || coordinator.cpu == null ? now : coordinator.cpu.copied(now);
    if (due == now) {
      depart(first, priority);
      return;
    }
    first.twins.beingWritten = true;
    first.twins.copyPriority = priority;
    first.holds++;
    coordinator.cpu.await(due, World.COPY_WRITTEN, first.index);
  }

  /** Sends a second copy if it is written now, unless the read was answered meanwhile. */
  void written(Read first) {
    if (!coordinator.cpu.ends(World.COPY_WRITTEN, first.index)) {
      return;
    }
    Twins twins = first.twins;
    twins.beingWritten = false;
    if (!twins.answered) {
      depart(first, twins.copyPriority);
    }
    world.pool.release(first);
  }

  private void depart(Read first, long priority) {
    Twins twins = first.twins;
    Read second = world.pool.take();
    second.copyOf(first, twins.copyNode(first));
    second.priority = priority;
    boolean handedOn = twins.rule() == Copies.FORWARDED;
    if (handedOn) {
      world.replicas[first.node].message();
    }
    second.ageNanos = handedOn ? world.calendar.now() - first.arrivedNanos : 0;
    twins.second = second;
    twins.copied = true;
    twins.open++;
    world.copies++;
    coordinator.depart(second, !handedOn);
  }
}
