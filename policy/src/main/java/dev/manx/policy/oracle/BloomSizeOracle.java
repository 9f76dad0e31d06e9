/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.Ewma;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.LargeKeys;
import dev.manx.policy.spi.PolicyInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code oracle.size-bloom}: remembers the keys whose values were large, in two Bloom filters of
 * fixed memory.
 *
 * <p>Keys enter the young generation; queries check both. The first tick after half the bits of the
 * young one are set, or {@code turn-every} after the last turn of either kind, clears the old one,
 * which becomes the young one: a key that was not large for two generations is forgotten, and a key
 * that was large moves to the new generation. A key that became small is not removed; it ages out
 * in the same way. A full generation takes no key until that tick, and while generations change, a
 * large key may briefly count as small; these are the only kinds of false negatives. The guess in
 * bytes is the smoothed size of the key's class.
 *
 * <p>Source: TailX section 3 (filter of keys above a threshold). Deviations: learned from observed
 * reads instead of given; two generations, together within {@code false-positives}. Keys that enter
 * the young generation are news for other coordinators, and their news enters it too.
 */
final class BloomSizeOracle implements SizeOracle, LargeKeys {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "oracle.size-bloom",
              "two generations of Bloom filters of keys seen with large values")
          .source("TailX section 3")
          .settings(
              SizeSettings.LARGE_ABOVE,
              Setting.size("memory", "4MiB", "1KiB", "512MiB", "memory of both filters together"),
              Setting.share(
                  "false-positives",
                  1e-4,
                  1e-9,
                  0.5,
                  "largest share of small keys that count as large"),
              Setting.duration(
                  "turn-every",
                  "6h",
                  "1s",
                  "1000h",
                  "the older filter is dropped after this time; a key that was not large for two"
                      + " turns is forgotten"))
          .make(
              s ->
                  new BloomSizeOracle(
                      s.number("large-above"),
                      s.number("memory"),
                      s.real("false-positives"),
                      s.number("turn-every")));

  private static final double FILL_LIMIT = 0.5;
  private static final double SIZE_WEIGHT = 0.01;
  private static final long SMALL_GUESS_BYTES = 1024;

  private final long largeAboveBytes;
  private final BloomGeneration[] generations;
  private final AtomicLong learnedLarge = new AtomicLong();
  private final AtomicLong turns = new AtomicLong();
  private final long turnEveryNanos;
  private final Ewma smallBytes = new Ewma(SIZE_WEIGHT);
  private final Ewma largeBytes = new Ewma(SIZE_WEIGHT);
  private volatile int young;
  private volatile RecentKeys news;
  // Used by the timer only.
  private long lastTurnNanos;
  private boolean ticked;

  /**
   * Creates an empty oracle.
   *
   * @param largeAboveBytes smallest size that counts as large
   * @param memoryBytes of both generations together
   * @param falsePositives largest share of other keys that count as large, in (0, 1)
   * @param turnEveryNanos longest time between two turns, within the interval of ticks
   */
  BloomSizeOracle(
      long largeAboveBytes, long memoryBytes, double falsePositives, long turnEveryNanos) {
    this.largeAboveBytes = largeAboveBytes;
    this.turnEveryNanos = turnEveryNanos;
    int words = (int) Math.max(1, Math.min(1L << 26, memoryBytes / 2 / Long.BYTES));
    // At the fill limit one generation errs with 2^-k, both together with at most twice that.
    int hashes = Math.max(1, (int) Math.ceil(Math.log(2 / falsePositives) / Math.log(2)));
    generations =
        new BloomGeneration[] {
          new BloomGeneration(words, hashes), new BloomGeneration(words, hashes)
        };
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    long hash = mix(keyHash);
    if (generations[0].contains(hash) || generations[1].contains(hash)) {
      return mostBytes();
    }
    double small = smallBytes.get((double) Math.min(SMALL_GUESS_BYTES, largeAboveBytes - 1));
    return Math.min(largeAboveBytes - 1, Math.round(small));
  }

  @Override
  public long mostBytes() {
    return Math.max(largeAboveBytes, Math.round(largeBytes.get((double) largeAboveBytes)));
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {
    if (sizeBytes < largeAboveBytes) {
      smallBytes.add((double) sizeBytes);
      return;
    }
    largeBytes.add((double) sizeBytes);
    if (enter(keyHash)) {
      learnedLarge.incrementAndGet();
    }
  }

  /** Only the mean of the small sizes is kept. */
  @Override
  public boolean needsKeysOfSmall() {
    return false;
  }

  @Override
  public void importKey(long keyHash) {
    enter(keyHash);
  }

  @Override
  public void exportNews(int most) {
    news = new RecentKeys(most);
  }

  @Override
  public int takeNews(long[] into) {
    RecentKeys fresh = news;
    return fresh == null ? 0 : fresh.take(into);
  }

  private boolean enter(long keyHash) {
    BloomGeneration into = generations[young];
    // Learning threads leave the clearing of megabytes to the timer.
    if (isFull(into) || !into.add(mix(keyHash))) {
      return false;
    }
    RecentKeys fresh = news;
    if (fresh != null) {
      fresh.add(keyHash);
    }
    return true;
  }

  @Override
  public void tick(long nowNanos) {
    if (!ticked) {
      ticked = true;
      lastTurnNanos = nowNanos;
    }
    if (isFull(generations[young]) || nowNanos - lastTurnNanos >= turnEveryNanos) {
      // One turn at a time, and a full interval after it: two would forget all keys.
      lastTurnNanos = nowNanos;
      generations[1 - young].clear();
      young = 1 - young;
      turns.incrementAndGet();
    }
  }

  private static boolean isFull(BloomGeneration generation) {
    return generation.fill() >= FILL_LIMIT;
  }

  @Override
  public long largeAboveBytes() {
    return largeAboveBytes;
  }

  @Override
  public long memoryBytes() {
    return generations[0].memoryBytes() + generations[1].memoryBytes();
  }

  /** Fill level of the young generation relative to its limit, 0 to 1. */
  @Override
  public double fillRatio() {
    return Math.min(1, generations[young].fill() / FILL_LIMIT);
  }

  /**
   * Number of keys learnt into a generation so far; a key learnt again after a turn counts again.
   */
  public long learnedLarge() {
    return learnedLarge.get();
  }

  /** Number of turns so far. */
  public long turns() {
    return turns.get();
  }

  private static long mix(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }
}
