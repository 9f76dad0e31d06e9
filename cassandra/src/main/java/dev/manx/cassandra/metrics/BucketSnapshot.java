/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Quantiles of {@link DurationCounts} in microseconds: each is the upper end of its bucket, so at
 * most an eighth too high. Everything is 0 if nothing was counted.
 */
final class BucketSnapshot extends Snapshot {
  // Quantile of a normal distribution, for a 95 % interval.
  private static final double DEVIATIONS = 1.96;

  private final long[] counts;
  private final long count;

  /**
   * @param counts counts of each bucket; not modified afterwards
   */
  BucketSnapshot(long[] counts) {
    this.counts = counts;
    long sum = 0;
    for (long each : counts) {
      sum += each;
    }
    count = sum;
  }

  /** Number of counted durations. */
  long count() {
    return count;
  }

  @Override
  public double getValue(double quantile) {
    return ranked((long) Math.ceil(count * quantile));
  }

  /**
   * The lower end of the quantile's 95 % interval, by the ranks that the quantile of this many
   * independent values may have.
   */
  double low(double quantile) {
    return ranked((long) Math.floor(count * quantile - spread(quantile)));
  }

  /**
   * The upper end of the quantile's 95 % interval; the largest value if there are too few
   * durations.
   */
  double high(double quantile) {
    return ranked((long) Math.ceil(count * quantile + spread(quantile)) + 1);
  }

  private double spread(double quantile) {
    return DEVIATIONS * Math.sqrt(count * quantile * (1 - quantile));
  }

  /** The value of a rank, 1 for the least; ranks beyond the ends are clamped. */
  private double ranked(long rank) {
    long wanted = Math.max(1, Math.min(count, rank));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return DurationCounts.mostMicros(i);
      }
    }
    return 0;
  }

  @Override
  public long[] getValues() {
    return counts.clone();
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  @Override
  public long getMax() {
    return (long) ranked(count);
  }

  @Override
  public long getMin() {
    return (long) ranked(1);
  }

  @Override
  public double getMean() {
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += (double) counts[i] * DurationCounts.mostMicros(i);
    }
    return count == 0 ? 0 : sum / count;
  }

  @Override
  public double getStdDev() {
    if (count < 2) {
      return 0;
    }
    double mean = getMean();
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      double off = DurationCounts.mostMicros(i) - mean;
      sum += off * off * counts[i];
    }
    return Math.sqrt(sum / (count - 1));
  }

  @Override
  public void dump(OutputStream output) {
    try (PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8)) {
      for (long each : counts) {
        out.println(each);
      }
    }
  }
}
