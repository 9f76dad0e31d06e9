/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.spi.PolicyInfo;
import java.util.concurrent.TimeUnit;

/**
 * {@code order.boost}: the op with the earliest boosted arrival first. Ops of small requests count
 * as having arrived earlier, by {@code boost(B) = beta * ln(1 / (1 - e^(-B / beta)))} for a request
 * of bottleneck B. The reads of one request have equal keys; among equal keys the costliest goes
 * first, then the earliest. Logarithmic time.
 *
 * <p>Only ops that arrive within the difference of two boosts overtake an op, and the difference
 * shrinks as B grows: while the queue is neither long nor overloaded no op starves, and there is no
 * age at which an old op suddenly goes before all others. A small {@code beta} gives arrival order,
 * a large one shortest bottleneck first. {@link AutoBeta} finds a value between them from the waits
 * and bottlenecks of this queue. It also finds the number of waiting reads from which a queue is
 * long. In a long queue the shortest bottleneck goes first until no read waits: the widest requests
 * then wait long in any order, and {@code max-wait} limits how long.
 *
 * <p>If more arrives than can be served, any finite boost becomes arrival order as waits grow, and
 * all requests are late. While the queue counts as {@linkplain Overload overloaded} the shortest
 * bottleneck therefore goes first, so that most requests stay fast, and an op that has waited
 * {@code max-wait} goes first in one of eight slots of about a millisecond only.
 *
 * <p>Source: Yu and Scully, Strongly Tail-Optimal Scheduling in the Light-Tailed M/G/1 (SIGMETRICS
 * 2024). There, B is the size of a job, beta is the inverse of the decay rate of the response time
 * in arrival order, and the aim is the far end of the tail. Deviations: many servers and jobs that
 * are parts of a request; a larger beta if bottlenecks vary, for the 99th percentile; a bounded
 * wait, as in every order, as a safety net.
 *
 * <p>Arrivals are on this node's clock, so other clocks do not matter. An op without a bottleneck
 * (0 or less) gets the bottleneck of its forecast, which is that of its class; an op without either
 * counts as a read of a typical request.
 */
final class BoostOrder<T extends Op> extends AgedOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "order.boost",
              "earliest boosted arrival first: reads of small requests count as having"
                  + " arrived earlier")
          .source(
              "Yu and Scully, Strongly Tail-Optimal Scheduling in the Light-Tailed M/G/1"
                  + " (SIGMETRICS'24)")
          .settings(
              Setting.durationOr(
                  "auto",
                  "beta",
                  "1ns",
                  "1h",
                  "scale of the boost; auto: derived from the waits measured in this queue"),
              Setting.flag(
                  "long-queues",
                  true,
                  "with `beta: auto`: when the queue exceeds the 99th percentile of its length (more,"
                      + " the closer to each other the bottlenecks are; less where the widest"
                      + " hundredth of requests has more than 0.12 of the work), shortest bottleneck"
                      + " first until no read waits"),
              Setting.whole(
                  "overload-after",
                  8_192,
                  0,
                  1 << 30,
                  "after so many reads served in a row while others waited, or when an eighth of"
                      + " this number (at least 16) waits, or with `beta: auto` when reads would wait"
                      + " in arrival order for twice the 99th percentile of such waits (at least"
                      + " 500ms), or for `max-wait`: shortest bottleneck first until none waits; 0:"
                      + " never for these reasons"),
              Setting.durationOr(
                  "auto",
                  "max-wait",
                  "1ns",
                  "1h",
                  "a read that has waited this long goes first; in an overloaded queue, in one of"
                      + " eight milliseconds only. auto: 2s, but on a node at most half of its"
                      + " read_request_timeout"),
              CAPACITY)
          .make(
              s ->
                  new BoostOrder<>(
                      s.whole("capacity"),
                      s.number("max-wait"),
                      s.number("beta"),
                      s.flag("long-queues"),
                      s.whole("overload-after")));

  /*
   * With wide requests and reads of 10 ms and more, one request in a hundred waits half a second in
   * arrival order, even at 60 % load. A bound of that size then decides instead of the boosts:
   * docs/research/simulator-results.md.
   */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The value of a beta, or of a longest wait, that the order determines itself. */
  public static final long AUTO = Values.BY_ITSELF;

  /**
   * A beta so large that boosts differ by far more than waits do, which is shortest bottleneck
   * first. Even the largest of them is smaller than any in an overloaded queue.
   */
  private static final Boosts IN_LONG_QUEUE = Boosts.fixed(TimeUnit.HOURS.toNanos(1));

  /** A recorded boost of at least this was given in an overloaded queue. */
  private static final long OVERLOAD_BETA = TimeUnit.HOURS.toNanos(100);

  private static final Boosts IN_OVERLOAD = Boosts.fixed(OVERLOAD_BETA);

  // Slots of the clock, so that a choice depends only on the op's memos and the time.
  private static final int SLOT_BITS = 20;

  private static final int SLOTS = 8;

  private static final double TYPICAL_WEIGHT = 1.0 / 256;

  // A tag is in the nodes' actual time, and this node's forecast in the average node's time; the
  // ratio between nodes is limited to four.
  private static final int FASTEST = 4;

  private final OpHeap<T> heap = new OpHeap<>(true);
  private final Boosts usual = new Boosts();
  private final RecentRequests recent = new RecentRequests();
  private final AutoBeta auto;
  private final long setBetaNanos;
  private final boolean ownWait;
  private final boolean longQueues;
  private final Overload overload;
  private Boosts boosts = usual;
  private boolean longNow;
  private long servedLong;
  private boolean begun;
  private long epochNanos;
  private long sequence;
  private double typical;

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first, or {@link #AUTO}
   * @param betaNanos scale of the boost, or {@link #AUTO}
   * @param longQueues whether a long queue is served shortest bottleneck first; needs {@link #AUTO}
   * @param overloadAfter see {@link Overload}; 0: never
   */
  BoostOrder(
      int capacity, long maxWaitNanos, long betaNanos, boolean longQueues, int overloadAfter) {
    super(capacity, maxWaitNanos == AUTO ? LONGEST_WAIT_NANOS : maxWaitNanos);
    this.longQueues = longQueues;
    ownWait = maxWaitNanos == AUTO;
    auto = betaNanos == AUTO ? new AutoBeta() : null;
    setBetaNanos = Math.max(0, betaNanos);
    overload = new Overload(overloadAfter);
    usual.beta(setBetaNanos);
  }

  @Override
  public void limitWait(long nanos) {
    if (ownWait) {
      maxWait(Math.min(LONGEST_WAIT_NANOS, nanos));
    }
  }

  @Override
  public boolean countsPassed() {
    return auto != null;
  }

  @Override
  void enter(T op) {
    if (!begun) {
      begun = true;
      epochNanos = op.arrivalNanos;
    }
    // Relative to the first arrival, so that keys stay far from the ends of a long.
    long arrival = op.arrivalNanos - epochNanos;
    boolean begins = !recent.knows(op.requestId, arrival - op.ageNanos);
    long bottleneck = bottleneck(op, begins);
    if (auto != null) {
      auto.unqueued(op.passedBefore);
      auto.arrived(op.arrivalNanos, op.costNanos, bottleneck);
    }
    if (becomesLong()) {
      longNow = true;
      rescale();
    }
    long first = recent.first(op.requestId, arrival - op.ageNanos);
    long key = recorded() == NO_MEMO ? first - boosts.of(bottleneck) : arrival - recorded();
    if (recorded() >= OVERLOAD_BETA) {
      overload.recorded();
    }
    heap.add(op, key, 0, sequence++);
  }

  // Recorded boosts are those of the queue as it was then.
  private boolean becomesLong() {
    return longQueues
        && auto != null
        && recorded() == NO_MEMO
        && !longNow
        && !overload.now()
        && heap.size() >= auto.longQueue();
  }

  /** How far the op's arrival time is moved back. */
  @Override
  public long memo(T op) {
    return op.arrivalNanos - epochNanos - op.rank;
  }

  // A typical request's bottleneck, not a typical read's: most reads belong to wide requests.
  private long bottleneck(T op, boolean begins) {
    long known = Math.max(op.priority, op.costNanos / FASTEST);
    if (known <= 0) {
      return Math.max(1, Math.round(typical));
    }
    if (begins) {
      typical += (typical == 0 ? 1 : TYPICAL_WEIGHT) * (known - typical);
    }
    return known;
  }

  @Override
  void leave(T op) {
    heap.remove(op);
  }

  @Override
  void dropped(T op) {
    if (heap.size() == 0) {
      overload.emptied();
      longNow = false;
      scale();
    }
    if (auto != null) {
      auto.dropped(op.arrivalNanos);
    }
  }

  @Override
  void served(long nowNanos) {
    boolean late =
        auto != null && auto.waitNanos(nowNanos) >= Math.min(maxWaitNanos(), auto.lateNanos());
    if (auto != null) {
      learn(nowNanos);
    }
    servedLong += longNow && !overload.now() ? 1 : 0;
    boolean begins = overload.begins(heap.size(), late);
    longNow &= heap.size() > 0;
    if (begins) {
      rescale();
    } else {
      scale();
    }
  }

  private void rescale() {
    Boosts before = boosts;
    scale();
    heap.rerank(op -> rerank(op, before));
  }

  /** If beta had another value when an op arrived, a difference remains that no longer matters. */
  private long rerank(T op, Boosts before) {
    long bottleneck = bottleneck(op, false);
    return op.rank + before.of(bottleneck) - boosts.of(bottleneck);
  }

  private void scale() {
    if (overload.now()) {
      boosts = IN_OVERLOAD;
    } else if (longNow) {
      boosts = IN_LONG_QUEUE;
    } else {
      usual.beta(auto == null ? setBetaNanos : auto.betaNanos());
      boosts = usual;
    }
  }

  /** Waits in an overloaded queue grow with its age, and are not representative of other times. */
  private void learn(long nowNanos) {
    if (overload.now()) {
      auto.passed();
    } else {
      auto.served(nowNanos);
    }
  }

  @Override
  public long overloaded() {
    return overload.served();
  }

  @Override
  public long servedLong() {
    return servedLong;
  }

  @Override
  boolean passesOver(long nowNanos) {
    return overload.now() && (nowNanos >>> SLOT_BITS) % SLOTS != 0;
  }

  @Override
  T choose(long nowNanos) {
    return heap.peek();
  }
}
