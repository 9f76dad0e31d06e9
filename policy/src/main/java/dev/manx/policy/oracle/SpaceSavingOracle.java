/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.Settings;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code oracle.popularity-space-saving}: counts of the most frequently read keys, in a fixed
 * number of counters. A key without a counter takes over the smallest counter with its count, which
 * is then the bound of the key's over-count. After each {@code half-life} accesses all counts are
 * halved. {@link #count} returns the count without that bound, which is certain: if counters are
 * scarce, popular keys may be overlooked, but rare ones do not seem popular.
 *
 * <p>Source: Space-Saving (Metwally et al., ICDT 2005). Deviations: the counters form sets of
 * {@code ways}; a key's hash selects its set, and the smallest counter of the set is taken over, so
 * that an access is one short scan without a lock; keys are distinguished by 32 bits of their hash.
 * A key with more than one way's share of its set's accesses always has a counter. Two threads that
 * update one counter at once may lose one access.
 */
public final class SpaceSavingOracle implements PopularityOracle {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "oracle.popularity-space-saving",
              "counts of the most popular keys, bounded and aging")
          .source("Space-Saving (ICDT 2005)")
          .settings(
              Setting.size(
                  "memory", "16MiB", "1KiB", "512MiB", "memory of all counters, 12 bytes each"),
              Setting.whole("ways", 16, 1, 256, "counters of a set"),
              Setting.whole(
                  "half-life",
                  10_000_000,
                  1,
                  1L << 40,
                  "number of reads after which counts are halved"))
          .at(Place.COORDINATOR, Place.SIMULATOR)
          .make(
              s ->
                  new SpaceSavingOracle(
                      s.number("memory"), s.whole("ways"), s.number("half-life")));

  private static final long COUNT_MASK = 0xFFFF_FFFFL;
  private static final int BYTES = Long.BYTES + Integer.BYTES;

  private final int ways;
  private final int sets;
  private final long halfLife;
  // Fingerprint in the upper half, count in the lower; 0 is free.
  private final AtomicLongArray counters;
  private final AtomicIntegerArray errors;
  private final AtomicLong total = new AtomicLong();
  private final AtomicLong sinceHalved = new AtomicLong();

  /**
   * Creates an oracle without observations.
   *
   * @param memoryBytes most memory, at 12 bytes per counter
   * @param ways counters per set
   * @param halfLife accesses after which counts are halved
   */
  public SpaceSavingOracle(long memoryBytes, int ways, long halfLife) {
    // A set must fit into the memory.
    this.ways = (int) Math.max(1, Math.min(ways, memoryBytes / BYTES));
    this.halfLife = halfLife;
    sets = (int) Math.max(1, Math.min(1 << 26, memoryBytes / BYTES / this.ways));
    counters = new AtomicLongArray(sets * this.ways);
    errors = new AtomicIntegerArray(sets * this.ways);
  }

  /** Creates an oracle with the default settings and without observations. */
  public static SpaceSavingOracle standard() {
    Values defaults = Values.read(POLICY.settings(), null);
    return (SpaceSavingOracle) POLICY.factory().apply(Settings.of(defaults, () -> 0, () -> 0));
  }

  @Override
  public long count(long keyHash) {
    total.incrementAndGet();
    sinceHalved.incrementAndGet();
    long mixed = SplitMix.mix(keyHash);
    long fingerprint = mixed & ~COUNT_MASK;
    int from = set(mixed);
    int least = from;
    long leastCount = Long.MAX_VALUE;
    for (int i = from; i < from + ways; i++) {
      long counter = counters.get(i);
      long count = counter & COUNT_MASK;
      if (count > 0 && (counter & ~COUNT_MASK) == fingerprint) {
        long next = Math.min(COUNT_MASK, count + 1);
        counters.compareAndSet(i, counter, fingerprint | next);
        // A thread that has just taken the counter over may not have stored its bound yet.
        return Math.max(1, next - Integer.toUnsignedLong(errors.get(i)));
      }
      if (count < leastCount) {
        leastCount = count;
        least = i;
      }
    }
    long next = Math.min(COUNT_MASK, leastCount + 1);
    counters.set(least, fingerprint | next);
    errors.set(least, (int) leastCount);
    return 1;
  }

  @Override
  public long total() {
    return total.get();
  }

  /** Halves the counts for every {@code half-life} accesses that have passed. */
  @Override
  public void tick() {
    long halvings = sinceHalved.get() / halfLife;
    sinceHalved.addAndGet(-halvings * halfLife);
    // After as many halvings as a long has bits, all counts are 0.
    for (long left = Math.min(Long.SIZE, halvings); left > 0; left--) {
      halve();
    }
  }

  @Override
  public long memoryBytes() {
    return (long) BYTES * counters.length();
  }

  /** Halves counts, errors and total; a counter that reaches 0 is free. */
  void halve() {
    for (int i = 0; i < counters.length(); i++) {
      // Not once like an access: a missed halving would double the count for good.
      counters.updateAndGet(i, SpaceSavingOracle::halved);
      errors.set(i, errors.get(i) >>> 1);
    }
    total.addAndGet(-((total.get() + 1) / 2));
  }

  private static long halved(long counter) {
    long half = (counter & COUNT_MASK) >>> 1;
    return half == 0 ? 0 : counter & ~COUNT_MASK | half;
  }

  /** The count of a key, without counting an access; 0 if it has no counter. */
  long peek(long keyHash) {
    int at = find(keyHash);
    return at < 0 ? 0 : counters.get(at) & COUNT_MASK;
  }

  /** The largest possible over-count of a key. */
  long error(long keyHash) {
    int at = find(keyHash);
    return at < 0 ? 0 : Integer.toUnsignedLong(errors.get(at));
  }

  private int find(long keyHash) {
    long mixed = SplitMix.mix(keyHash);
    int from = set(mixed);
    for (int i = from; i < from + ways; i++) {
      long counter = counters.get(i);
      if ((counter & COUNT_MASK) > 0 && (counter & ~COUNT_MASK) == (mixed & ~COUNT_MASK)) {
        return i;
      }
    }
    return -1;
  }

  private int set(long mixed) {
    return (int) ((mixed & COUNT_MASK) * sets >>> 32) * ways;
  }
}
