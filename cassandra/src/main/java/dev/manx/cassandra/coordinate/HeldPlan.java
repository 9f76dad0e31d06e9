/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.hold.HeldMessage;
import dev.manx.cassandra.hold.HeldRead;
import dev.manx.policy.Request;
import java.util.function.Supplier;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy;

/**
 * Decides whether and how long the reads of the calling thread's plan wait before they are sent.
 */
public final class HeldPlan {
  private HeldPlan() {}

  /**
   * Whether a read about to go to one more replica might have to wait: a first attempt if its plan
   * or a gate requires it, and the next one, a retry of stock. Call once per attempt.
   *
   * @param node the node of that replica
   */
  public static boolean concerns(Engine engine, ThreadPlan plan, int read, int node) {
    if (plan.isOnlyFollowed(engine)) {
      return false;
    }
    plan.attempts().attempted(read, node);
    if (plan.attempts().isFirst(read)) {
      // If it is paged, each read waits for the previous one.
      return !plan.isPaged() && (engine.gate() != null || plan.request().sendDelayNanos(read) != 0);
    }
    return plan.attempts().isNext(read) && engine.config().holdRetries();
  }

  /**
   * Holds a read, if required; in shadow mode only counts first attempts.
   *
   * @param command what Cassandra reads
   * @param id id of its message, or of its ticket
   * @param lifeNanos time until it expires
   * @param held creates the held read
   * @return false if the caller must send it now
   */
  public static boolean holds(
      Engine engine,
      ThreadPlan plan,
      int read,
      ReadCommand command,
      int node,
      long id,
      long lifeNanos,
      Supplier<HeldRead> held) {
    if (!plan.attempts().isFirst(read)) {
      return !isAlwaysSentTwice(command)
          && holdsRetry(engine, plan, read, node, id, lifeNanos, held);
    }
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
    try {
      record(engine, plan, read, id);
    } catch (Throwable t) {
      // It waits, and the caller must not send it as well: its answers could count twice.
      engine.guard().survived("the record of a held read", t);
    }
    return true;
  }

  /** Whether the second attempt is no retry: the table's option sends both at once. */
  private static boolean isAlwaysSentTwice(ReadCommand command) {
    // A prepared statement keeps the options that its table had then; stock reads the present ones.
    TableMetadata prepared = command.metadata();
    TableMetadata present = Schema.instance.getTableMetadata(prepared.id);
    TableMetadata table = present == null ? prepared : present;
    return table.params.speculativeRetry.kind() == SpeculativeRetryPolicy.Kind.ALWAYS;
  }

  private static boolean holdsRetry(
      Engine engine,
      ThreadPlan plan,
      int read,
      int node,
      long id,
      long lifeNanos,
      Supplier<HeldRead> held) {
    Retry retry = plan.isActing() ? Retry.of(engine, plan, read, node, Engine.readThreads()) : null;
    if (retry == null) {
      return false;
    }
    HeldRead waits = held.get();
    if (!engine.holds().holdRetry(waits, retry, lifeNanos)) {
      return false;
    }
    try {
      plan.sent(read, id, engine.clock().nanoTime());
      // Stock sends each of its retries as a message, also to its own node.
      if (plan.flight() != null && waits instanceof HeldMessage message) {
        plan.flight().retryWaits(read, message);
      }
    } catch (Throwable t) {
      engine.guard().survived("the record of a held read", t);
    }
    return true;
  }

  /**
   * Its time counts from now, since stock's second attempt is scheduled by that. It gets no second
   * copy from Manx, whose delay would have to begin later.
   */
  private static void record(Engine engine, ThreadPlan plan, int read, long id) {
    plan.sent(read, id, engine.clock().nanoTime());
    if (plan.flight() != null) {
      engine.copier().passedOver(plan.flight(), read);
    }
  }
}
