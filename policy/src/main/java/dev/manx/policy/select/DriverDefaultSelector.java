/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code select.driver-default}: replicas in random order, then those that seem stuck moved to the
 * end, then of the first two the one with fewer reads in flight first. A replica seems stuck if it
 * has at least ten reads in flight and fewer than two answers in the last 200 ms, unless it has
 * answered less than twice in all; if half of the replicas or more seem stuck, none is moved. Two
 * replicas are in random order.
 *
 * <p>Source: {@code DefaultLoadBalancingPolicy} of apache/cassandra-java-driver 4, by which a
 * client chooses a statement's coordinator: a reference for clusters whose clients balance and
 * whose coordinators read at home. Deviations: reads planned for the same request are in flight, as
 * if each were a statement; reads that timed out are not, whereas the driver keeps their stream
 * ids. The driver's rule for a node that has just come up is omitted: its code reads the times at
 * which nodes came up and never writes them.
 *
 * <p>Any thread may call every method; lock-free; memory is fixed by the cluster's size.
 */
final class DriverDefaultSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.driver-default",
              "the less loaded of two random replicas that are not stuck: the java-driver's default")
          .source("apache/cassandra-java-driver 4, DefaultLoadBalancingPolicy")
          .make(s -> new DriverDefaultSelector(s.clock()));

  static final int BUSY_READS = 10;
  static final long WINDOW_NANOS = 200_000_000;
  private static final long NEVER = Long.MIN_VALUE;

  private final NanoClock clock;
  private volatile Answers answers = new Answers(0);

  /** The times of each node's last answer and of the answer before. */
  private static final class Answers {
    final AtomicLongArray last;
    final AtomicLongArray before;

    Answers(int capacity) {
      last = filled(capacity);
      before = filled(capacity);
    }

    private static AtomicLongArray filled(int capacity) {
      AtomicLongArray array = new AtomicLongArray(capacity);
      for (int node = 0; node < capacity; node++) {
        array.set(node, NEVER);
      }
      return array;
    }

    boolean has(int node) {
      return node >= 0 && node < last.length();
    }

    /** Whether a node that has answered at least twice has answered at most once since a moment. */
    boolean areFewSince(int node, long nanos) {
      return has(node) && before.get(node) != NEVER && before.get(node) - nanos < 0;
    }
  }

  /** Creates a selector without answers. */
  DriverDefaultSelector(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    int count = to - from;
    if (count < 2) {
      return;
    }
    int[] replicas = request.replicas();
    ScoredSelector.shuffle(request, replicas, from, count);
    if (count == 2) {
      return;
    }
    stuckLast(request, from, to, view);
    if (inFlight(request, replicas[from], view) > inFlight(request, replicas[from + 1], view)) {
      request.toFront(from, from + 1);
    }
  }

  /**
   * Moves stuck replicas to the end unless most of them are stuck, and keeps the order of the rest.
   */
  private void stuckLast(Request request, int from, int to, ClusterView view) {
    int[] replicas = request.replicas();
    long[] stuck = request.scratch(to - from);
    int many = 0;
    for (int i = from; i < to; i++) {
      boolean seems = isStuck(request, replicas[i], view);
      stuck[i - from] = request.recalled(seems ? 1 : 0);
      many += (int) stuck[i - from];
    }
    if (many == 0 || 2 * many >= to - from) {
      return;
    }
    int moved = 0;
    for (int i = to - 1; i >= from; i--) {
      if (stuck[i - from] != 0) {
        int node = replicas[i];
        int end = to - 1 - moved++;
        System.arraycopy(replicas, i + 1, replicas, i, end - i);
        replicas[end] = node;
      }
    }
  }

  private boolean isStuck(Request request, int node, ClusterView view) {
    return inFlight(request, node, view) >= BUSY_READS
        && answers.areFewSince(node, request.nowNanos() - WINDOW_NANOS);
  }

  private static int inFlight(Request request, int node, ClusterView view) {
    return view.outstandingReads(node) + request.plannedReads(node);
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    note(grown(view.capacity()), node);
  }

  /** An error counts as an answer. */
  @Override
  public void failed(int node, long costNanos) {
    note(answers, node);
  }

  @Override
  public void timedOut(int node, long costNanos) {
    note(answers, node);
  }

  @Override
  public void forgotten(int node) {
    Answers known = answers;
    if (known.has(node)) {
      known.before.set(node, NEVER);
      known.last.set(node, NEVER);
    }
  }

  private void note(Answers known, int node) {
    if (known.has(node)) {
      known.before.set(node, known.last.getAndSet(node, clock.nanoTime()));
    }
  }

  private Answers grown(int capacity) {
    Answers known = answers;
    return known.last.length() >= capacity ? known : grow(capacity);
  }

  private synchronized Answers grow(int capacity) {
    if (answers.last.length() < capacity) {
      answers = new Answers(capacity);
    }
    return answers;
  }
}
