/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.control.ReplaceableThread;
import dev.manx.policy.NanoClock;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The waiting reads by time of release, and a separate thread that releases them. Adding takes no
 * lock, and wakes the thread only for a read that is due before all others. Any thread.
 */
/*
 * The wheel of the copies is unsuitable: nearly all entries there are answered before they are due,
 * so it may be milliseconds late and its entries cost nothing. Here each entry becomes due, and
 * each microsecond of delay is added to a request. Also, a planner that blocks the thread of the
 * copies must not delay reads.
 */
final class HoldTimer {
  // Longest time until reads of another engine are released, while some wait.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long SHORTEST_REST_NANOS = 20_000;

  private final NanoClock clock;
  private final LongSupplier early;
  private final ReplaceableThread thread;
  private final ConcurrentSkipListSet<Place> places = new ConcurrentSkipListSet<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong sequence = new AtomicLong();
  private volatile boolean runs;
  private volatile long restsUntilNanos;

  /**
   * @param look releases due reads; must not throw
   * @param early latest time of the next check while reads wait
   */
  HoldTimer(NanoClock clock, Runnable look, LongSupplier early) {
    this.clock = clock;
    this.early = early;
    thread = new ReplaceableThread("manx-holds", clock, now -> look.run(), this::rest);
  }

  /** Number of waiting reads. */
  int size() {
    return size.get();
  }

  /**
   * Adds a read.
   *
   * @return false if too many wait
   */
  boolean add(HeldRead read, long dueNanos) {
    if (size.incrementAndGet() > Holds.MOST) {
      size.decrementAndGet();
      return false;
    }
    Place place = put(read, dueNanos);
    if (runs && places.lower(place) == null) {
      thread.wake();
    }
    return true;
  }

  private Place put(HeldRead read, long dueNanos) {
    Place place = new Place(dueNanos, sequence.incrementAndGet(), read);
    read.place(place);
    places.add(place);
    return place;
  }

  /** Gives a claimed read another time. */
  void move(HeldRead read, long dueNanos) {
    if (places.remove(read.place())) {
      put(read, dueNanos);
    }
  }

  /** Removes a read. */
  void remove(HeldRead read) {
    Place place = read.place();
    if (place != null && places.remove(place)) {
      size.decrementAndGet();
    }
  }

  /** The waiting reads, the next due one first; may change meanwhile. */
  Iterable<Place> places() {
    return places;
  }

  /** Starts a thread that releases reads; if the last one hangs, another one. */
  void run() {
    runs = true;
    if (thread.isStarted() || size.get() > 0) {
      thread.ensure();
    }
  }

  /** Makes the thread check at a time, if it would sleep longer. */
  void wakeBy(long nanos) {
    if (runs && nanos < restsUntilNanos) {
      thread.wake();
    }
  }

  private void rest() {
    Place next = first();
    if (next == null) {
      LockSupport.park(this);
      return;
    }
    long now = clock.nanoTime();
    long nanos = Math.min(next.dueNanos() - now, LOOK_NANOS);
    restsUntilNanos = now + nanos;
    long atLatest = early.getAsLong();
    if (atLatest < restsUntilNanos) {
      nanos = atLatest - now;
    }
    // A due read may be in use by another thread.
    LockSupport.parkNanos(this, Math.max(nanos, SHORTEST_REST_NANOS));
  }

  private Place first() {
    for (Place place : places) {
      return place;
    }
    return null;
  }

  /**
   * A read among the waiting ones. A read that waits again gets another place, because a key must
   * not change within the set.
   *
   * @param dueNanos its time of release
   * @param sequence among reads due at one time the smaller goes first
   */
  record Place(long dueNanos, long sequence, HeldRead read) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byTime = Long.signum(dueNanos - other.dueNanos);
      return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime;
    }
  }
}
