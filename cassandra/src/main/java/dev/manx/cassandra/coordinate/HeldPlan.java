/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.hold.HeldRead;
import dev.manx.policy.Request;
import java.util.function.Supplier;

/** Whether and how long the reads of the calling thread's plan wait before they leave. */
public final class HeldPlan {
  private HeldPlan() {}

  /**
   * Whether a read that is about to go to one more replica might have to wait: if its plan or a
   * gate says so, and if it is a first attempt. To be asked once for each attempt.
   */
  public static boolean concerns(Engine engine, ThreadPlan plan, int read) {
    if (engine.acting() && !plan.isActing() || plan.isPaged()) {
      // Followed only, to learn from it; or each read waits for the one before it.
      return false;
    }
    boolean first = plan.isFirstAttempt(read);
    return first && (engine.gate() != null || plan.request().sendDelayNanos(read) != 0);
  }

  /**
   * Has a read wait, if it has to; what shadow mode would have had wait is counted.
   *
   * @param id of its message, or of its ticket
   * @param lifeNanos until it expires
   * @param held makes it one that leaves by itself
   * @return false if the caller is to send it now
   */
  public static boolean holds(
      Engine engine,
      ThreadPlan plan,
      int read,
      int node,
      long id,
      long lifeNanos,
      Supplier<HeldRead> held) {
    Request request = plan.request();
    long nanos = engine.holds().bounded(engine, request.sendDelayNanos(read), lifeNanos);
    if (!plan.isActing()) {
      if (nanos > 0) {
        engine.counters().count(Counter.READS_HELD);
      }
      return false;
    }
    if (nanos == 0 && engine.gate() == null) {
      return false;
    }
    HeldRead waits = held.get();
    if (nanos > 0) {
      if (!engine.holds().hold(waits, nanos)) {
        return false;
      }
    } else {
      boolean tagged = request.tagged();
      waits.ranked(
          node,
          tagged ? request.priority(read) : request.cost(read),
          tagged ? request.slack(read) : 0,
          request.costNanos(read),
          request.longestFirst() ? plan.requestId() : 0,
          engine.clock().nanoTime());
      if (engine.holds().passes(engine.gate(), waits, lifeNanos)) {
        return false;
      }
    }
    // Its own time counts from now, since a second attempt of stock's is sent by that. It gets no
    // second copy of Manx's, whose delay would have to begin later.
    plan.sent(read, id, engine.clock().nanoTime());
    if (plan.flight() != null) {
      engine.copier().passedOver(plan.flight(), read);
    }
    return true;
  }
}
