/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.hold.HeldWhile;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.policy.Request;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.fanout.CopyBudget;
import java.util.concurrent.TimeUnit;

/**
 * A read that stock's speculative retry sends to one more replica.
 *
 * <p>Stock retries a read that waits longer than most reads of the last minutes, although its first
 * replica works: there, other reads go first. When load rises, most reads soon wait that long. All
 * are then read twice, just when the nodes have no time for it. So a retry waits at its coordinator
 * while its first replicas work. It leaves when the second replica is idle, or when no read waits
 * there and the {@linkplain Holds#retries() budget} permits it. It leaves when a first replica
 * fails the read, dies or is silent: it serves no other read for half of the time since the first
 * message, and for {@value #SILENT_READS} service times. It is not sent if its read is answered
 * before.
 */
final class Retry implements HeldWhile {
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  // Divisor of a read's age: the time until the next decision. A read that has waited long can wait
  // a little longer, and thousands may wait.
  private static final int PATIENCE = 8;

  // A busy node reports its reads far more often, and an idle one at most this late.
  private static final long FRESH_NANOS = FactsPace.CALM_NANOS;

  // A node of two threads that serves three coordinators answers each of them every 1.5 service
  // times; no answer within eight of them is then rare.
  static final int SILENT_READS = 8;
  // The bounds of a silence from which a node counts as stuck, however slow it is and however old
  // the read.
  private static final long LONGEST_OF_SERVICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_OF_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Engine engine;
  private final CopyBudget budget;
  private final long sentNanos;
  private final int node;
  private final int threads;
  private final long[] firstIds;
  private final int[] firstNodes;
  // An answer closes its ticket a little before Cassandra counts it.
  private volatile boolean looked;
  private volatile boolean paid;

  private Retry(
      Engine engine, long sentNanos, int node, int threads, long[] firstIds, int[] firstNodes) {
    this.engine = engine;
    this.budget = engine.holds().retries();
    this.sentNanos = sentNanos;
    this.node = node;
    this.threads = threads;
    this.firstIds = firstIds;
    this.firstNodes = firstNodes;
  }

  /**
   * The retry of a read whose next attempt goes to a node.
   *
   * @param threads number of read threads of a node
   * @return null if it is not a retry: read repair asks the same replicas again
   */
  static Retry of(Engine engine, ThreadPlan plan, int read, int node, int threads) {
    Request request = plan.request();
    int contacts = Math.min(request.contacts(read), request.replicaCount(read));
    long[] ids = new long[contacts];
    int[] nodes = new int[contacts];
    for (int i = 0; i < contacts; i++) {
      ids[i] = plan.attempts().sentId(read, i);
      nodes[i] = plan.attempts().sentTo(read, i);
      if (nodes[i] == node) {
        return null;
      }
    }
    return new Retry(engine, plan.attempts().sentNanos(read), node, threads, ids, nodes);
  }

  @Override
  public long waitsNanos(long nowNanos, int answers) {
    if (answers < 0 || answers >= firstIds.length) {
      return 0;
    }
    long age = nowNanos - sentNanos;
    int open = 0;
    int working = 0;
    for (int i = 0; i < firstIds.length; i++) {
      if (firstIds[i] != 0 && engine.state().tickets().isOpen(firstIds[i], firstNodes[i])) {
        open++;
        working += isWorking(firstNodes[i], age, nowNanos) ? 1 : 0;
      }
    }
    if (answers + working < firstIds.length) {
      boolean answerMayFollow = working == open && !looked;
      looked = true;
      return answerMayFollow ? SHORTEST_NANOS : 0;
    }
    looked = false;
    return leavesEarly(nowNanos) ? 0 : Math.max(SHORTEST_NANOS, age / PATIENCE);
  }

  @Override
  public void unsent() {
    if (paid) {
      paid = false;
      budget.abandoned();
    }
  }

  /** Whether a node has served a read lately. */
  private boolean isWorking(int first, long age, long nowNanos) {
    long reported = engine.state().value(FactColumn.SERVICE_TIME, first);
    long service = reported == 0 ? engine.load().serviceNanos() : reported;
    long silence =
        Math.max(
            Math.min(LONGEST_OF_AGE_NANOS, age / 2),
            Math.min(LONGEST_OF_SERVICE_NANOS, SILENT_READS * service));
    return engine.signs().answeredWithin(first, silence, nowNanos);
  }

  /**
   * Whether it leaves although its read will be answered without it; takes a token of the budget
   * unless the second replica is idle.
   */
  private boolean leavesEarly(long nowNanos) {
    boolean self = node == engine.self();
    long pending = self ? engine.load().pendingReads() : fresh(FactColumn.PENDING_READS, nowNanos);
    long waiting = self ? engine.load().workAheadNanos() : fresh(FactColumn.WORK_AHEAD, nowNanos);
    long own = self ? 0 : engine.state().outstandingReads(node);
    boolean idle = pending >= 0 && waiting <= 0 && 2 * Math.max(pending, own) <= threads;
    if (idle) {
      return true;
    }
    // Only a report of waiting reads tells it of a node with another number of threads.
    boolean busy = waiting < 0 ? Math.max(pending, own) >= threads : waiting > 0;
    paid = !busy && budget.take();
    return paid;
  }

  /** What the second replica reported; negative if that is too old or not reported. */
  private long fresh(FactColumn column, long nowNanos) {
    return engine.state().ageNanos(column, node, nowNanos) < FRESH_NANOS
        ? engine.state().value(column, node)
        : -1;
  }
}
