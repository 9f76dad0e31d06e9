/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The reads without a rank that wait, by their turns and then by arrival. Any thread. */
final class ReadsInTurn {
  private static final Comparator<QueuedRead> BY_TURN =
      Comparator.comparingLong(QueuedRead::turn).thenComparingLong(QueuedRead::arrival);

  /**
   * Most reads that one goes ahead of: about a wide request's. Where more wait, the node has too
   * much to do, and paged requests whose next reads came sooner would only add to it.
   */
  private static final int MOST_OVERTAKEN = 32;

  private final PriorityQueue<QueuedRead> reads = new PriorityQueue<>(BY_TURN);
  private long arrivals;
  // As many as there are, to be read without the lock.
  private volatile int size;

  /**
   * Queues a read.
   *
   * @param served reads served so far, of all kinds
   * @param queued reads queued, of all kinds
   * @param requests requests that the ranked reads among them belong to
   * @return false if there is no room
   */
  synchronized boolean offer(QueuedRead read, long served, int queued, int requests) {
    if (reads.size() >= ReadQueue.MOST_IN_TURN) {
      return false;
    }
    int before = queued;
    if (read.isInRound()) {
      before = Math.max(queued - MOST_OVERTAKEN, Math.min(queued, requests + reads.size()));
    }
    read.givenTurn(served + before, served + queued, arrivals++);
    reads.add(read);
    size = reads.size();
    return true;
  }

  /**
   * Takes the read whose turn comes first; null if it has not come.
   *
   * @param served reads served so far, of all kinds
   * @param mayOvertake whether it may go ahead of reads that came before it
   */
  QueuedRead poll(long served, boolean mayOvertake) {
    if (size == 0) {
      return null;
    }
    synchronized (this) {
      QueuedRead first = reads.peek();
      if (first == null || first.turn() > served || !mayOvertake && first.overtakes(served)) {
        return null;
      }
      reads.poll();
      size = reads.size();
      return first;
    }
  }
}
