/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The waiting reads without a rank, by their turns and then by arrival. Any thread. */
final class ReadsInTurn {
  private static final Comparator<QueuedRead> BY_TURN =
      Comparator.comparingLong(QueuedRead::turn).thenComparingLong(QueuedRead::arrival);

  /**
   * Most reads that one read overtakes: about those of a wide request. If more wait, the node is
   * overloaded, and serving the next reads of paged requests sooner would only add to the load.
   */
  private static final int MOST_OVERTAKEN = 26;

  // Reads that overtake others, and reads that do not: a read whose turn has come gives way to no
  // later one.
  private final PriorityQueue<QueuedRead> rounds = new PriorityQueue<>(BY_TURN);
  private final PriorityQueue<QueuedRead> places = new PriorityQueue<>(BY_TURN);
  private long arrivals;
  // The number of reads, readable without the lock.
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
    if (size >= ReadQueue.MOST_IN_TURN) {
      return false;
    }
    int before = queued;
    if (read.isInRound()) {
      before = Math.max(queued - MOST_OVERTAKEN, Math.min(queued, requests + size));
    }
    read.givenTurn(served + before, served + queued, arrivals++);
    (read.isInRound() ? rounds : places).add(read);
    size++;
    return true;
  }

  /**
   * Takes the read with the first turn; null if its turn has not come.
   *
   * @param served reads served so far, of all kinds
   * @param mayOvertake whether it may overtake earlier reads
   */
  QueuedRead poll(long served, boolean mayOvertake) {
    if (size == 0) {
      return null;
    }
    synchronized (this) {
      PriorityQueue<QueuedRead> first = first(served);
      QueuedRead read = first.peek();
      if (read == null || read.turn() > served || !mayOvertake && read.overtakes(served)) {
        return null;
      }
      size--;
      return first.poll();
    }
  }

  private PriorityQueue<QueuedRead> first(long served) {
    QueuedRead place = places.peek();
    QueuedRead round = rounds.peek();
    if (place == null || round == null) {
      return place == null ? rounds : places;
    }
    boolean due = place.turn() <= served;
    boolean before = due ? place.arrival() < round.arrival() : place.turn() < round.turn();
    return before ? places : rounds;
  }
}
