/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.WindowRecorder;
import dev.manx.shares.WindowStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records the results of requests and queries, from any number of threads, without waiting.
 *
 * <p>Each thread writes into the stripe that it used last, or the next free one; a stripe is held
 * for some ten nanoseconds. If all are held (their holders were preempted), the record is dropped
 * and counted instead of blocking the caller.
 */
public final class Recorder {
  private static final int MOST_STRIPES = 64;

  /** A backend's place in the statistics, while the backend exists. */
  public static final class Slot {
    private final Recorder of;
    private final String name;
    // Written with all stripes held, read with any one held.
    private int place = -1;

    private Slot(Recorder of, String name) {
      this.of = of;
      this.name = name;
    }

    /** The backend's name. */
    public String name() {
      return name;
    }
  }

  private final int every;
  private final Stripes stripes;
  // One per stripe, used by the thread that holds it.
  private final WindowRecorder[] recorders;
  private final LongAdder lost = new LongAdder();
  private final List<Slot> slots = new ArrayList<>();

  /**
   * Uses two stripes per processor, at most 64.
   *
   * @param every one of this many records is kept, at random; at least 1
   */
  public Recorder(int every) {
    this(every, 2 * Runtime.getRuntime().availableProcessors());
  }

  Recorder(int every, int leastStripes) {
    this.every = every;
    int size = Integer.highestOneBit(2 * Math.max(1, Math.min(MOST_STRIPES, leastStripes)) - 1);
    stripes = new Stripes(size);
    recorders = new WindowRecorder[size];
    Arrays.setAll(recorders, i -> new WindowRecorder(List.of()));
  }

  /**
   * Adds a backend.
   *
   * @throws IllegalArgumentException if the name is already in use or there are too many
   */
  public synchronized Slot add(String name) {
    Slot added = new Slot(this, name);
    List<Slot> after = new ArrayList<>(slots);
    after.add(added);
    change(after);
    return added;
  }

  /** Removes a backend; later records for it are ignored. */
  public synchronized void remove(Slot slot) {
    List<Slot> after = new ArrayList<>(slots);
    if (after.remove(slot)) {
      change(after);
    }
  }

  private void change(List<Slot> after) {
    List<String> names = after.stream().map(Slot::name).toList();
    // Also checks the names, before any change.
    WindowRecorder[] fresh = new WindowRecorder[recorders.length];
    Arrays.setAll(fresh, i -> new WindowRecorder(names));
    for (int i = 0; i < recorders.length; i++) {
      stripes.take(i);
    }
    try {
      for (int i = 0; i < recorders.length; i++) {
        fresh[i].add(recorders[i].cut());
        recorders[i] = fresh[i];
      }
      slots.forEach(slot -> slot.place = -1);
      for (int i = 0; i < after.size(); i++) {
        after.get(i).place = i;
      }
    } finally {
      for (int i = 0; i < recorders.length; i++) {
        stripes.giveBack(i);
      }
    }
    slots.clear();
    slots.addAll(after);
  }

  /**
   * A query has ended; without hits and misses it is ignored.
   *
   * @param hits keys found in the cache
   * @param hitNanos time until they were found
   * @param misses keys that the backend answered, or did not answer in time
   * @param missNanos time until the backend answered
   */
  public void query(Slot slot, int hits, long hitNanos, int misses, long missNanos) {
    int stripe = take();
    if (stripe < 0) {
      return;
    }
    try {
      if (slot.place >= 0) {
        recorders[stripe].query(slot.place, hits, hitNanos, misses, missNanos);
      }
    } finally {
      stripes.giveBack(stripe);
    }
  }

  /** Records more keys that were found in the given time, of a query that has ended. */
  public void found(Slot slot, int keys, long nanos) {
    int stripe = take();
    if (stripe < 0) {
      return;
    }
    try {
      if (slot.place >= 0) {
        recorders[stripe].foundKeys(slot.place, keys, nanos);
      }
    } finally {
      stripes.giveBack(stripe);
    }
  }

  /**
   * Records a miss that a slightly larger share would have answered. Every such miss is recorded,
   * whatever fraction of other records is kept: its benefit is counted in bytes, and such misses
   * are few.
   */
  public void shadowHit(Slot slot) {
    int stripe = takeAny();
    if (stripe < 0) {
      return;
    }
    try {
      if (slot.place >= 0) {
        recorders[stripe].shadowHit(slot.place);
      }
    } finally {
      stripes.giveBack(stripe);
    }
  }

  /**
   * A request is complete; ignored if a backend of another recorder blocked it.
   *
   * @param blocker the backend that blocked it
   * @param nanos its latency
   * @param givenUp whether it ended with queries pending
   * @param missed whether the blocking query waited for a miss; otherwise the request counts, but
   *     not for a backend, because a larger share would not make it faster
   */
  public void request(Slot blocker, long nanos, boolean givenUp, boolean missed) {
    int stripe = blocker.of == this ? take() : -1;
    if (stripe < 0) {
      return;
    }
    try {
      int place = blocker.place;
      int column = missed ? place : WindowRecorder.NO_SHARE;
      if (place >= 0 && givenUp) {
        recorders[stripe].timedOut(nanos, column);
      } else if (place >= 0) {
        recorders[stripe].request(nanos, column);
      }
    } finally {
      stripes.giveBack(stripe);
    }
  }

  /**
   * A stripe that this thread now holds; negative if the record is not sampled, or all are held.
   */
  private int take() {
    return every > 1 && ThreadLocalRandom.current().nextInt(every) != 0 ? -1 : takeAny();
  }

  private int takeAny() {
    int stripe = stripes.take();
    if (stripe < 0) {
      lost.increment();
    }
    return stripe;
  }

  /** The statistics recorded since the last call. */
  public synchronized WindowStatistics cut() {
    List<WindowStatistics> cuts = new ArrayList<>(recorders.length);
    for (int i = 0; i < recorders.length; i++) {
      stripes.take(i);
      try {
        cuts.add(recorders[i].cut());
      } finally {
        stripes.giveBack(i);
      }
    }
    return WindowStatistics.sum(cuts);
  }

  /** Records dropped so far because every stripe was held. */
  public long lost() {
    return lost.sum();
  }
}
