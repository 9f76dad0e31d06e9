/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.Ewma;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code oracle.size-ewma}: the smoothed size of the values whose keys share a prefix, such as the
 * name of a table or of a kind of object.
 *
 * <p>The prefix is the key's bytes before its first separator ({@code _ : /}), at most {@code
 * prefix-bytes} of them. A key with a new prefix, or without bytes, gets the smoothed size of all
 * values. Memory is fixed: prefixes are hashed, and those that share a slot share a mean.
 *
 * <p>Source: ours, a fallback for sizes that depend on the kind of object rather than on the key.
 */
final class SizeEwmaOracle implements SizeOracle {
  static final PolicyInfo POLICY =
      PolicyInfo.named("oracle.size-ewma", "smoothed size of the keys that share a prefix")
          .source("Manx")
          .settings(
              SizeSettings.LARGE_ABOVE,
              Setting.share("weight", 0.05, 0.001, 1, "weight of the newest size"),
              Setting.whole("prefix-bytes", 16, 1, 1_024, "longest prefix, in bytes"),
              Setting.whole(
                  "prefixes", 4_096, 1, 1 << 24, "number of slots for prefixes, 8 bytes each"),
              SizeSettings.SMALL_GUESS)
          .needs(Ability.KEYED_LEARNING)
          .make(
              s ->
                  new SizeEwmaOracle(
                      s.number("large-above"),
                      s.real("weight"),
                      s.whole("prefix-bytes"),
                      s.whole("prefixes"),
                      s.number("small-guess")));

  private static final long NONE = Double.doubleToRawLongBits(Double.NaN);

  private final long largeAboveBytes;
  private final double weight;
  private final int prefixBytes;
  private final AtomicLongArray means;
  private final AtomicLong used = new AtomicLong();
  private final Ewma all;
  private final long guessBytes;

  /**
   * Creates an oracle without observations.
   *
   * @param largeAboveBytes smallest size that counts as large
   * @param weight of the newest size, in (0, 1]
   * @param prefixBytes longest prefix
   * @param prefixes number of slots for prefixes
   * @param guessBytes the guess before the first observed size
   */
  SizeEwmaOracle(
      long largeAboveBytes, double weight, int prefixBytes, int prefixes, long guessBytes) {
    this.largeAboveBytes = largeAboveBytes;
    this.weight = weight;
    this.prefixBytes = prefixBytes;
    this.guessBytes = guessBytes;
    all = new Ewma(weight);
    means = new AtomicLongArray(prefixes);
    for (int i = 0; i < prefixes; i++) {
      means.set(i, NONE);
    }
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    double mean = key == null ? Double.NaN : Double.longBitsToDouble(means.get(place(key)));
    return Math.round(Double.isNaN(mean) ? all.get((double) guessBytes) : mean);
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {
    all.add((double) sizeBytes);
    if (key == null) {
      return;
    }
    int place = place(key);
    if (means.compareAndSet(place, NONE, Double.doubleToRawLongBits((double) sizeBytes))) {
      used.incrementAndGet();
    } else {
      Ewma.add(means, place, weight, (double) sizeBytes);
    }
  }

  @Override
  public long largeAboveBytes() {
    return largeAboveBytes;
  }

  @Override
  public long memoryBytes() {
    return (long) Long.BYTES * means.length();
  }

  /** Share of the slots in use. */
  @Override
  public double fillRatio() {
    return used.get() / (double) means.length();
  }

  private int place(ByteBuffer key) {
    long hash = 1;
    int end = Math.min(key.limit(), key.position() + prefixBytes);
    for (int i = key.position(); i < end; i++) {
      byte letter = key.get(i);
      if (letter == '_' || letter == ':' || letter == '/') {
        break;
      }
      hash = 31 * hash + letter;
    }
    return (int) Long.remainderUnsigned(SplitMix.mix(hash), means.length());
  }
}
