/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import com.codahale.metrics.Histogram;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.util.List;
import java.util.function.Supplier;

/**
 * Summed buckets as a histogram of Cassandra's registry: the count covers all time, the quantiles
 * the last one or two minutes. Values are added to the buckets, not here.
 */
final class BucketHistogram extends Histogram {
  private final Supplier<List<DurationCounts>> parts;

  /**
   * @param parts the present buckets
   */
  BucketHistogram(Supplier<List<DurationCounts>> parts) {
    super(new Unused());
    this.parts = parts;
  }

  @Override
  public long getCount() {
    long[] sum = new long[DurationCounts.SIZE];
    parts.get().forEach(part -> DurationCounts.add(part.all(), sum));
    return new BucketSnapshot(sum).count();
  }

  @Override
  public Snapshot getSnapshot() {
    long[] sum = new long[DurationCounts.SIZE];
    parts.get().forEach(part -> DurationCounts.add(part.recent(), sum));
    return new BucketSnapshot(sum);
  }

  private static final class Unused implements Reservoir {
    @Override
    public int size() {
      return 0;
    }

    @Override
    public void update(long value) {
      throw new UnsupportedOperationException("values are added to the buckets");
    }

    @Override
    public Snapshot getSnapshot() {
      throw new UnsupportedOperationException("the histogram overrides it");
    }
  }
}
