/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import java.util.Arrays;

/** The steps that plans share. Stateless; allocates nothing. */
public final class Plans {
  private Plans() {}

  /**
   * Puts the reads into the order in which they are assigned and sent: in the order of addition, or
   * costliest first with equals in the order of addition.
   */
  public static void arrange(Request request, boolean longestFirst) {
    int[] order = request.order();
    int reads = request.reads();
    for (int i = 0; i < reads; i++) {
      order[i] = i;
    }
    request.longestFirst(longestFirst);
    if (!longestFirst || reads < 2) {
      return;
    }
    // Cost and number in one long, so that the smallest long is the costliest read added first.
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(reads - 1);
    long most = Long.MAX_VALUE >>> bits;
    long[] keys = request.scratch(reads);
    for (int read = 0; read < reads; read++) {
      keys[read] = (most - Math.min(most, request.costNanos(read))) << bits | read;
    }
    Arrays.sort(keys, 0, reads);
    for (int i = 0; i < reads; i++) {
      order[i] = (int) keys[i] & (1 << bits) - 1;
    }
  }

  /** Ranks every read's replicas, group by group, and assigns it before it ranks the next. */
  public static void rankAndAssign(Request request, Selector selector, ClusterView view) {
    int[] order = request.order();
    int[] groups = request.groups();
    for (int i = 0, n = request.reads(); i < n; i++) {
      int read = order[i];
      rank(request, read, groups, selector, view);
      request.assign(read);
    }
  }

  /** Ranks a read's replicas, group by group. */
  static void rank(Request request, int read, int[] groups, Selector selector, ClusterView view) {
    int from = request.replicaStart(read);
    int end = from + request.replicaCount(read);
    while (from < end) {
      int to = from + 1;
      while (to < end && groups[to] == groups[from]) {
        to++;
      }
      selector.rank(request, read, from, to, view);
      from = to;
    }
  }

  /** The end of a read's first group of replicas, as a place of {@link Request#replicas()}. */
  static int firstGroupEnd(Request request, int read) {
    int[] groups = request.groups();
    int start = request.replicaStart(read);
    int end = start + request.replicaCount(read);
    int to = start;
    while (to < end && groups[to] == groups[start]) {
      to++;
    }
    return to;
  }

  /** Forecast service time of the costliest opset, in the nodes' actual time. */
  static long bottleneckNanos(Request request) {
    long most = 0;
    for (int read = 0, n = request.reads(); read < n; read++) {
      for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
        most = Math.max(most, request.plannedWorkNanos(request.replica(read, rank)));
      }
    }
    return most;
  }

  /**
   * Forecast service time of the costliest opset that a read belongs to, one at each of its
   * contacts: the read may wait no longer than the one with the least slack.
   */
  static long opsetNanos(Request request, int read) {
    long most = 0;
    for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
      most = Math.max(most, request.plannedWorkNanos(request.replica(read, rank)));
    }
    return most;
  }

  /** Requests a copy of every read that has a replica left for one. */
  static void copyAfter(Request request, long nanos) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      if (request.replicaCount(read) > request.contacts(read)) {
        request.copyAfter(read, nanos);
      }
    }
  }

  /** Cost of the costliest opset: durations in the nodes' actual time, keys and bytes unchanged. */
  public static long bottleneck(Request request, Unit unit) {
    if (unit == Unit.NANOS) {
      return bottleneckNanos(request);
    }
    long most = 0;
    for (int read = 0, n = request.reads(); read < n; read++) {
      for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
        most = Math.max(most, request.plannedCost(request.replica(read, rank)));
      }
    }
    return most;
  }

  /** Gives every read the bottleneck as its priority, and the least slack of its opsets. */
  public static void prioritiseByBottleneck(Request request, Unit unit, long bottleneck) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      long opset = opsetCost(request, read, unit, bottleneck);
      request.prioritise(read, bottleneck, bottleneck - opset);
    }
  }

  /**
   * Gives every read the bottleneck minus its own cost, or that of its costliest opset, as its
   * priority, and the least slack of its opsets; all in durations.
   */
  static void prioritiseByIncrease(Request request, long bottleneck, boolean perOpset) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      long opset = opsetCost(request, read, Unit.NANOS, bottleneck);
      long own = perOpset ? opset : ownNanos(request, read);
      request.prioritise(read, Math.max(0, bottleneck - own), bottleneck - opset);
    }
  }

  /** Forecast service time of a read at its first replica, in the node's actual time. */
  static long ownNanos(Request request, int read) {
    return request.replicaCount(read) == 0
        ? request.costNanos(read)
        : request.costNanosAt(read, request.replica(read, 0));
  }

  private static long opsetCost(Request request, int read, Unit unit, long otherwise) {
    if (request.replicaCount(read) == 0) {
      return otherwise;
    }
    if (unit == Unit.NANOS) {
      return opsetNanos(request, read);
    }
    long most = 0;
    for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
      most = Math.max(most, request.plannedCost(request.replica(read, rank)));
    }
    return most;
  }
}
