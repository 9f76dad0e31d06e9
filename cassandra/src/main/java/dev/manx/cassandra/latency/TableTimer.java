/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import com.codahale.metrics.Snapshot;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.DecayingEstimatedHistogramReservoir;
import org.apache.cassandra.metrics.SnapshottingReservoir;
import org.apache.cassandra.metrics.SnapshottingTimer;

/**
 * Wraps a table's coordinator read latency, from whose quantile speculative retry takes its
 * threshold, and records each read of a multiget whose paging was removed with its own time. Any
 * thread.
 */
/*
 * Cassandra records the time of a group's slowest read once for each of its keys
 * (StorageProxy.readRegular). A paged multiget is read key by key, each key as a group of one; the
 * same multiget read in parallel would raise the threshold to the time of whole requests, and no
 * read would be retried that could benefit.
 *
 * While no read waits, only one multiget in some is tracked read by read. The others are recorded
 * with the times of the reads tracked last, limited to their own durations. Cassandra calls the
 * timer once for each key, before the client gets its answer. So the numbers that are only
 * displayed are sampled, or counted without contention.
 */
final class TableTimer extends SnapshottingTimer {
  // A power of two.
  private static final int RECENT = 256;
  // One in this many of the times that only a displayed threshold needs is recorded; a power of
  // two.
  static final int SAMPLE = 16;

  private final SnapshottingTimer stock;
  private final SnapshottingTimer requests =
      new SnapshottingTimer(new DecayingEstimatedHistogramReservoir());
  private final Supplier<ReadTimes> current;
  private final Consumer<Throwable> faults;
  private final AtomicLongArray recent = new AtomicLongArray(RECENT);
  private final AtomicInteger noted = new AtomicInteger();
  private final LongAdder reads = new LongAdder();

  /**
   * @param stock the table's own timer
   * @param current the times of the multiget whose paging the calling thread has removed; null for
   *     none
   * @param faults gets failures here; the timer then gets Cassandra's number
   */
  TableTimer(SnapshottingTimer stock, Supplier<ReadTimes> current, Consumer<Throwable> faults) {
    super(new Unused());
    this.stock = stock;
    this.current = current;
    this.faults = faults;
  }

  SnapshottingTimer stock() {
    return stock;
  }

  /** The timer that the table would have without this one, with a sample of its values. */
  SnapshottingTimer requests() {
    return requests;
  }

  /** Number of reads recorded with their own times. */
  long reads() {
    return reads.sum();
  }

  @Override
  public void update(long duration, TimeUnit unit) {
    long whole = unit.toNanos(duration);
    if ((ThreadLocalRandom.current().nextInt() & SAMPLE - 1) == 0) {
      requests.update(whole, TimeUnit.NANOSECONDS);
    }
    stock.update(nanos(whole), TimeUnit.NANOSECONDS);
  }

  private long nanos(long wholeNanos) {
    try {
      ReadTimes times = current.get();
      if (times == null) {
        return wholeNanos;
      }
      return times.isKnown() ? followed(times, wholeNanos) : another(wholeNanos);
    } catch (Throwable t) {
      faults.accept(t);
      return wholeNanos;
    }
  }

  private long followed(ReadTimes times, long wholeNanos) {
    long own = times.next();
    // A read whose end is unknown has just ended, or failed with its request.
    long nanos = own == ReadTimes.NONE ? wholeNanos : Math.min(own, wholeNanos);
    recent.setOpaque(noted.getAndIncrement() & RECENT - 1, Math.max(1, nanos));
    reads.increment();
    return nanos;
  }

  private long another(long wholeNanos) {
    int known = Math.min(RECENT, noted.get() < 0 ? RECENT : noted.get());
    if (known == 0) {
      return wholeNanos;
    }
    long nanos = recent.getOpaque(ThreadLocalRandom.current().nextInt(known));
    if (nanos == 0) {
      return wholeNanos;
    }
    reads.increment();
    return Math.min(nanos, wholeNanos);
  }

  @Override
  public Snapshot getPercentileSnapshot() {
    return stock.getPercentileSnapshot();
  }

  @Override
  public Snapshot getSnapshot() {
    return stock.getSnapshot();
  }

  @Override
  public long getCount() {
    return stock.getCount();
  }

  @Override
  public double getFifteenMinuteRate() {
    return stock.getFifteenMinuteRate();
  }

  @Override
  public double getFiveMinuteRate() {
    return stock.getFiveMinuteRate();
  }

  @Override
  public double getOneMinuteRate() {
    return stock.getOneMinuteRate();
  }

  @Override
  public double getMeanRate() {
    return stock.getMeanRate();
  }

  /** All values are passed on, so this timer's own reservoir stays empty. */
  private static final class Unused implements SnapshottingReservoir {
    @Override
    public int size() {
      return 0;
    }

    @Override
    public void update(long value) {
      throw new IllegalStateException("only the table's own timer is updated");
    }

    @Override
    public Snapshot getSnapshot() {
      throw new IllegalStateException("only the table's own timer is read");
    }

    @Override
    public Snapshot getPercentileSnapshot() {
      throw new IllegalStateException("only the table's own timer is read");
    }
  }
}
