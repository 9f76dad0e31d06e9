/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.Arrays;

/**
 * The queue of BRB's ideal model: one for the whole cluster, from which an idle core pulls the best
 * read that its node may serve. One heap per replica group; a node compares the heads of its
 * groups. Smallest priority first; among equals of one request that asked for longest-first the
 * costliest; then first-in first-out. Confined to one thread.
 */
final class GlobalQueue {
  private final Read[][] heaps;
  private final int[] sizes;
  private final int copies;

  /** An empty queue for groups of nodes g to g + copies - 1. */
  GlobalQueue(int nodes, int copies) {
    heaps = new Read[nodes][16];
    sizes = new int[nodes];
    this.copies = copies;
  }

  void offer(Read read) {
    int group = read.home;
    if (sizes[group] == heaps[group].length) {
      heaps[group] = Arrays.copyOf(heaps[group], sizes[group] * 2);
    }
    Read[] heap = heaps[group];
    int hole = sizes[group]++;
    while (hole > 0 && before(read, heap[(hole - 1) / 2])) {
      heap[hole] = heap[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    heap[hole] = read;
  }

  /** The best read that a node may serve, or null. */
  Read poll(int node) {
    int best = -1;
    for (int back = 0; back < copies; back++) {
      int group = node - back < 0 ? node - back + heaps.length : node - back;
      if (sizes[group] > 0 && (best < 0 || before(heaps[group][0], heaps[best][0]))) {
        best = group;
      }
    }
    return best < 0 ? null : removeHead(best);
  }

  /** Whether a node could serve something. */
  boolean hasWork(int node) {
    for (int back = 0; back < copies; back++) {
      int group = node - back < 0 ? node - back + heaps.length : node - back;
      if (sizes[group] > 0) {
        return true;
      }
    }
    return false;
  }

  private Read removeHead(int group) {
    Read[] heap = heaps[group];
    Read head = heap[0];
    int size = --sizes[group];
    Read last = heap[size];
    heap[size] = null;
    int hole = 0;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (before(last, heap[child])) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    if (size > 0) {
      heap[hole] = last;
    }
    return head;
  }

  private static boolean before(Read one, Read other) {
    if (one.priority != other.priority) {
      return one.priority < other.priority;
    }
    if (one.requestId != 0 && one.requestId == other.requestId) {
      return one.costNanos > other.costNanos
          || (one.costNanos == other.costNanos && one.number < other.number);
    }
    return one.number < other.number;
  }
}
