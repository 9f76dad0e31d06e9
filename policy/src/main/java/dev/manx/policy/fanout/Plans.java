/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/** The steps that plans share. Stateless; allocates nothing. */
final class Plans {
  private Plans() {}

  /**
   * Puts the reads into the order in which they are assigned and sent: as they came, or costliest
   * first and as they came among equals.
   */
  static void arrange(Request request, boolean longestFirst) {
    int[] order = request.order();
    int reads = request.reads();
    for (int i = 0; i < reads; i++) {
      order[i] = i;
    }
    request.longestFirst(longestFirst);
    if (!longestFirst || reads < 2) {
      return;
    }
    // Heap sort: in place, never quadratic. The read's number makes the comparison total.
    for (int i = reads / 2 - 1; i >= 0; i--) {
      siftDown(request, order, i, reads);
    }
    for (int end = reads - 1; end > 0; end--) {
      int latest = order[0];
      order[0] = order[end];
      order[end] = latest;
      siftDown(request, order, 0, end);
    }
  }

  /** Ranks every read's replicas, group by group, and assigns it before the next is ranked. */
  static void rankAndAssign(Request request, Selector selector, ClusterView view) {
    int[] order = request.order();
    int[] groups = request.groups();
    for (int i = 0, n = request.reads(); i < n; i++) {
      int read = order[i];
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
      request.assign(read);
    }
  }

  /** Forecast service time of the costliest opset. */
  static long bottleneckNanos(Request request) {
    long most = 0;
    for (int read = 0, n = request.reads(); read < n; read++) {
      for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
        most = Math.max(most, request.plannedWorkNanos(request.replica(read, rank)));
      }
    }
    return most;
  }

  /** Forecast service time of the opset that a read's first copy is in. */
  static long opsetNanos(Request request, int read) {
    return request.replicaCount(read) == 0 ? 0 : request.plannedWorkNanos(request.replica(read, 0));
  }

  /** Asks for a copy of every read that has a replica left for one. */
  static void copyAfter(Request request, long nanos) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      if (request.replicaCount(read) > request.contacts(read)) {
        request.copyAfter(read, nanos);
      }
    }
  }

  /** Cost of the costliest opset. */
  static long bottleneck(Request request) {
    long most = 0;
    for (int read = 0, n = request.reads(); read < n; read++) {
      for (int rank = 0, contacts = request.contacts(read); rank < contacts; rank++) {
        most = Math.max(most, request.plannedCost(request.replica(read, rank)));
      }
    }
    return most;
  }

  /**
   * Gives every read the bottleneck as its priority, and the slack of its first replica's opset.
   */
  static void prioritiseByBottleneck(Request request, long bottleneck) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      request.prioritise(read, bottleneck, bottleneck - opsetCost(request, read, bottleneck));
    }
  }

  /**
   * Gives every read the bottleneck minus its own cost, or its opset's, as its priority, and the
   * slack of its first replica's opset.
   */
  static void prioritiseByIncrease(Request request, long bottleneck, boolean perOpset) {
    for (int read = 0, n = request.reads(); read < n; read++) {
      long opset = opsetCost(request, read, bottleneck);
      long own = perOpset ? opset : request.cost(read);
      request.prioritise(read, Math.max(0, bottleneck - own), bottleneck - opset);
    }
  }

  private static long opsetCost(Request request, int read, long otherwise) {
    return request.replicaCount(read) == 0
        ? otherwise
        : request.plannedCost(request.replica(read, 0));
  }

  private static void siftDown(Request request, int[] order, int start, int end) {
    int root = start;
    while (true) {
      int child = 2 * root + 1;
      if (child >= end) {
        return;
      }
      if (child + 1 < end && isLater(request, order[child + 1], order[child])) {
        child++;
      }
      if (!isLater(request, order[child], order[root])) {
        return;
      }
      int moved = order[root];
      order[root] = order[child];
      order[child] = moved;
      root = child;
    }
  }

  private static boolean isLater(Request request, int read, int other) {
    long cost = request.costNanos(read);
    long otherCost = request.costNanos(other);
    return cost == otherCost ? read > other : cost < otherCost;
  }
}
