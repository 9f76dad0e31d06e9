/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;

/** How long the reads of the calling thread's plan wait before they leave. */
public final class HeldPlan {
  private HeldPlan() {}

  /**
   * How long a read that is about to leave for the first time waits; what shadow mode would have
   * had wait is counted.
   *
   * @param lifeNanos until it expires
   * @return 0 if it leaves at once
   */
  public static long waits(Engine engine, ThreadPlan plan, int read, long lifeNanos) {
    if (engine.acting() && !plan.isActing() || plan.isPaged()) {
      // Followed only, to learn from it; or each read waits for the one before it.
      return 0;
    }
    long nanos = engine.holds().bounded(engine, plan.request().sendDelayNanos(read), lifeNanos);
    if (nanos > 0 && !plan.isActing()) {
      engine.counters().count(Counter.READS_HELD);
      return 0;
    }
    return nanos;
  }

  /**
   * Notes that a read waits. Its own time counts from now, since a second attempt of stock's is
   * sent by that; and it gets no second copy of Manx's, whose delay would have to begin later.
   *
   * @param id of its message, or of its ticket
   */
  public static void held(Engine engine, ThreadPlan plan, int read, long id) {
    plan.sent(read, id, engine.clock().nanoTime());
    if (plan.flight() != null) {
      engine.copier().passedOver(plan.flight(), read);
    }
  }
}
