/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.policy.NanoClock;
import dev.manx.shares.MissCurve;
import dev.manx.shares.ShadowSampler;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link ShadowSampler} for any number of threads, without waiting. A key's hash decides, without
 * a lock, whether the key is in the sample; most queries end there. The sample has at most 4,096
 * keys and some 20,000 queries a second, which cost about one per cent of a core.
 */
final class CurveSampler {
  /*
   * A query that finds the lock taken is dropped, but counted, so that the curve does not attribute
   * it to hot keys outside the sample. The sample is halved while its queries arrive too fast,
   * unless it has so few keys that the curve would be noise: then only one of `every` queries is
   * recorded, and the others count as dropped. This does not change distances if queries are
   * independent of each other.
   */
  private static final int LOOK_EVERY = 8_192;
  private static final int MOST_PER_SECOND = 20_000;
  private static final int LEAST_KEYS = 512;
  private static final int MOST_EVERY = 1_024;

  private final NanoClock clock;
  private final LongAdder skipped = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long threshold;
  // Written by the holder of the lock.
  private volatile int every = 1;

  // Guarded by lock.
  private final ShadowSampler sampler;
  private int sinceLook;
  private long lookNanos;

  /**
   * @param capacityBytes largest space that the curve covers
   */
  CurveSampler(long capacityBytes, NanoClock clock) {
    this.clock = clock;
    sampler = new ShadowSampler(capacityBytes);
    threshold = sampler.threshold();
    lookNanos = clock.nanoTime();
  }

  /** Counts a query; returns whether it must be passed to {@link #query}. */
  boolean samples(long hashCode) {
    if (!ShadowSampler.isSampled(hashCode, threshold)) {
      skipped.increment();
      return false;
    }
    int of = every;
    if (of > 1 && ThreadLocalRandom.current().nextInt(of) != 0) {
      lost.increment();
      return false;
    }
    return true;
  }

  /**
   * Records a query of a sampled key with the size that its entry had before.
   *
   * @return whether the record is complete; false: the size is unknown, and {@link #query} needs it
   */
  boolean again(long hashCode, Object key) {
    if (!lock.tryLock()) {
      lost.increment();
      return true;
    }
    try {
      boolean known = sampler.again(hashCode, key);
      if (known) {
        recorded();
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Records a query of a sampled key, whose entry has this many bytes. */
  void query(long hashCode, Object key, long bytes) {
    if (!lock.tryLock()) {
      lost.increment();
      return;
    }
    try {
      sampler.query(hashCode, key, (int) Math.min(Integer.MAX_VALUE, bytes));
      recorded();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a key is in the sample, without counting a query. */
  boolean has(long hashCode) {
    return ShadowSampler.isSampled(hashCode, threshold);
  }

  /** Records that a sampled key's entry of this size is stored, without counting a query. */
  void stored(long hashCode, Object key, long bytes) {
    if (lock.tryLock()) {
      try {
        sampler.stored(hashCode, key, (int) Math.min(Integer.MAX_VALUE, bytes));
        recorded();
      } finally {
        lock.unlock();
      }
    }
  }

  private void recorded() {
    if (++sinceLook == LOOK_EVERY) {
      keepPace();
    }
    if (threshold != sampler.threshold()) {
      threshold = sampler.threshold();
    }
  }

  private void keepPace() {
    long now = clock.nanoTime();
    long leastNanos = TimeUnit.SECONDS.toNanos(LOOK_EVERY) / MOST_PER_SECOND;
    if (now - lookNanos > 4 * leastNanos) {
      every = (int) Math.max(1, 2 * leastNanos * every / (now - lookNanos));
    } else if (now - lookNanos < leastNanos && sampler.keys() > LEAST_KEYS) {
      sampler.keepAtMost(Math.max(LEAST_KEYS, sampler.keys() / 2));
    } else if (now - lookNanos < leastNanos) {
      every = Math.min(MOST_EVERY, 2 * every);
    }
    lookNanos = now;
    sinceLook = 0;
  }

  /** The present curve; null before any query. */
  MissCurve curve() {
    lock.lock();
    try {
      sampler.unseen(skipped.sumThenReset(), lost.sumThenReset());
      return sampler.curve(clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** Number of sampled keys. */
  int keys() {
    lock.lock();
    try {
      return sampler.keys();
    } finally {
      lock.unlock();
    }
  }
}
