/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.coordinate.HeldPlan;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.hold.Departures;
import org.apache.cassandra.concurrent.ExecutorLocals;

/** Holds reads of this node's own data back from the READ stage, as their plans say. Any thread. */
final class OwnHolds {
  private final ReadStage stage;
  private final ReadDescriber describer;

  /**
   * @param stage gets the reads when they leave
   */
  OwnHolds(ReadStage stage, ReadDescriber describer) {
    this.stage = stage;
    this.describer = describer;
  }

  /**
   * Whether a local read of the calling thread is held; it will enter later.
   *
   * @param plan the thread's open plan
   */
  boolean holds(Engine engine, ThreadPlan plan, Runnable task) {
    try {
      Departures departures = engine.holds().departures();
      if (departures == null) {
        return false;
      }
      int planned = describer.planned(plan, task);
      if (planned < 0 || !HeldPlan.concerns(engine, plan, planned, engine.self())) {
        return false;
      }
      long ticket = describer.newTicket();
      return HeldPlan.holds(
          engine,
          plan,
          planned,
          describer.command(task),
          engine.self(),
          ticket,
          departures.expiresAtNanos(task) - engine.clock().nanoTime(),
          () ->
              new HeldOwnRead(
                  engine,
                  plan.holds(),
                  stage,
                  departures,
                  task,
                  ExecutorLocals.current(),
                  PlannedRead.of(engine, plan, planned),
                  ticket));
    } catch (Throwable t) {
      engine.guard().fault("the hold of a read", t);
      return false;
    }
  }
}
