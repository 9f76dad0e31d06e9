/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.WindowRecorder;
import dev.manx.shares.WindowStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records what requests and queries met, from any number of threads, without waiting.
 *
 * <p>Each thread writes into the stripe that its id falls on, or the next that is free at this
 * moment; a stripe is held for some ten nanoseconds. If all are held (their holders were
 * preempted), the record is lost and counted rather than the caller stopped.
 */
public final class Recorder {
  private static final int MOST_STRIPES = 64;

  /** A backend's place in the statistics, as long as it is there. */
  public static final class Slot {
    private final String name;
    // Written with all stripes held, read with any one.
    private int place = -1;

    private Slot(String name) {
      this.name = name;
    }

    /** The backend's name. */
    public String name() {
      return name;
    }
  }

  private static final class Stripe extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private transient WindowRecorder recorder = new WindowRecorder(List.of());
  }

  private final int every;
  private final Stripe[] stripes;
  private final LongAdder lost = new LongAdder();
  private final List<Slot> slots = new ArrayList<>();

  /**
   * With two stripes per processor, at most 64.
   *
   * @param every one of so many records is kept, drawn at random; at least 1
   */
  public Recorder(int every) {
    this(every, 2 * Runtime.getRuntime().availableProcessors());
  }

  Recorder(int every, int leastStripes) {
    this.every = every;
    int size = Integer.highestOneBit(2 * Math.max(1, Math.min(MOST_STRIPES, leastStripes)) - 1);
    stripes = new Stripe[size];
    for (int i = 0; i < size; i++) {
      stripes[i] = new Stripe();
    }
  }

  /**
   * Makes room for a backend.
   *
   * @throws IllegalArgumentException if the name is there already or there are too many
   */
  public synchronized Slot add(String name) {
    Slot added = new Slot(name);
    List<Slot> after = new ArrayList<>(slots);
    after.add(added);
    change(after);
    return added;
  }

  /** Forgets a backend; what is recorded for it later is ignored. */
  public synchronized void remove(Slot slot) {
    List<Slot> after = new ArrayList<>(slots);
    if (after.remove(slot)) {
      change(after);
    }
  }

  private void change(List<Slot> after) {
    List<String> names = after.stream().map(Slot::name).toList();
    // Also checks the names, before anything has changed.
    WindowRecorder[] fresh = new WindowRecorder[stripes.length];
    for (int i = 0; i < stripes.length; i++) {
      fresh[i] = new WindowRecorder(names);
    }
    for (Stripe stripe : stripes) {
      stripe.lock();
    }
    try {
      for (int i = 0; i < stripes.length; i++) {
        fresh[i].add(stripes[i].recorder.cut());
        stripes[i].recorder = fresh[i];
      }
      slots.forEach(slot -> slot.place = -1);
      for (int i = 0; i < after.size(); i++) {
        after.get(i).place = i;
      }
    } finally {
      for (Stripe stripe : stripes) {
        stripe.unlock();
      }
    }
    slots.clear();
    slots.addAll(after);
  }

  /**
   * A query has ended.
   *
   * @param hits keys that the cache had
   * @param hitNanos until it had looked
   * @param misses keys that the backend was needed for
   * @param missNanos until it had answered
   */
  public void query(Slot slot, int hits, long hitNanos, int misses, long missNanos) {
    Stripe stripe = hold();
    if (stripe == null) {
      return;
    }
    try {
      int place = slot.place;
      for (int i = 0; place >= 0 && i < hits; i++) {
        stripe.recorder.hit(place, hitNanos);
      }
      for (int i = 0; place >= 0 && i < misses; i++) {
        stripe.recorder.miss(place, missNanos);
      }
    } finally {
      stripe.unlock();
    }
  }

  /**
   * A miss that a slightly larger share would have answered. Each is recorded, whatever part of the
   * rest is: what they earn is counted in bytes, and they are few.
   */
  public void shadowHit(Slot slot) {
    Stripe stripe = holdAny();
    if (stripe == null) {
      return;
    }
    try {
      if (slot.place >= 0) {
        stripe.recorder.shadowHit(slot.place);
      }
    } finally {
      stripe.unlock();
    }
  }

  /**
   * A request is complete.
   *
   * @param blocker the backend that gets the blame
   * @param nanos its latency
   * @param givenUp whether it ended with queries pending
   */
  public void request(Slot blocker, long nanos, boolean givenUp) {
    Stripe stripe = hold();
    if (stripe == null) {
      return;
    }
    try {
      int place = blocker.place;
      if (place >= 0 && givenUp) {
        stripe.recorder.timedOut(nanos, place);
      } else if (place >= 0) {
        stripe.recorder.request(nanos, place);
      }
    } finally {
      stripe.unlock();
    }
  }

  /** A stripe that this thread has now; null if it is not to record, or all are held. */
  private Stripe hold() {
    return every > 1 && ThreadLocalRandom.current().nextInt(every) != 0 ? null : holdAny();
  }

  private Stripe holdAny() {
    int mask = stripes.length - 1;
    long id = Thread.currentThread().getId();
    int home = (int) ((id * 0x9E3779B97F4A7C15L) >>> 40);
    for (int i = 0; i <= mask; i++) {
      Stripe stripe = stripes[(home + i) & mask];
      if (stripe.tryLock()) {
        return stripe;
      }
    }
    lost.increment();
    return null;
  }

  /** What was recorded since the last cut. */
  public synchronized WindowStatistics cut() {
    List<WindowStatistics> cuts = new ArrayList<>(stripes.length);
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        cuts.add(stripe.recorder.cut());
      } finally {
        stripe.unlock();
      }
    }
    return WindowStatistics.sum(cuts);
  }

  /** Records lost so far because every stripe was held. */
  public long lost() {
    return lost.sum();
  }
}
