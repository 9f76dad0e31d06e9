/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.fanout.Cancelling;
import dev.manx.simulator.Read.Place;

/** A replica's handling of cancelled copies. Confined to one thread. */
final class Cancels {
  private final World world;
  private final Replica replica;
  private final Cancelling rule;

  Cancels(World world, Replica replica, Cancelling rule) {
    this.world = world;
    this.replica = replica;
    this.rule = rule;
  }

  /**
   * Handles the arrival of a cancellation; its copy may be queued, running, ended or not yet
   * arrived.
   */
  void cancel(Read read) {
    if (read.place == Place.QUEUED) {
      replica.drop(read);
    } else if (read.place == Place.AWAY) {
      read.place = Place.CANCELLED;
    } else if (stops(read)) {
      if (rule.abortNanos() > 0) {
        world.calendar.at(world.calendar.now() + rule.abortNanos(), World.ABORT, read.index);
        return;
      }
      replica.abort(read);
    } else if (!rule.running() && read.twins != null && read.twins.isHandedOn(read)) {
      replica.copyWasted();
    }
    world.pool.release(read);
  }

  /**
   * Whether a cancellation stops a read that is not queued: of two tied copies, the one that
   * started later. None stops a rescued read. It has a rescue because its tied copy started later
   * and was stopped, and the cancellation that this copy had sent may still be under way.
   */
  private boolean stops(Read read) {
    if (!rule.running() || !replica.runs(read)) {
      return false;
    }
    Twins twins = read.twins;
    return twins.tied() ? twins.startedLater(read) : twins.rule() == Copies.HEDGED;
  }

  /** Handles the engine's detection that a running read was cancelled. */
  void abortDue(Read read) {
    if (replica.runs(read)) {
      replica.abort(read);
    }
    world.pool.release(read);
  }
}
