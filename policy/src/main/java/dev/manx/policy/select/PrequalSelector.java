/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Ewma;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.spi.PolicyInfo;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code select.prequal}: among replicas that are not hot the one with the least latency, and if
 * all are hot the one with the fewest reads in flight. A replica is hot if its reads in flight
 * exceed a quantile of the recent reports.
 *
 * <p>Source: Wydrowski, Kleinberg and Rumble, Load is not what you should balance: Introducing
 * Prequal (NSDI 2024), its hot-cold lexicographic rule. Deviations: answers carry reports and there
 * are no probes, so a replica without a report younger than {@code max-age} gets one read every
 * {@code probe-every} and counts as hot for the other reads; all three replicas of a read compete,
 * whereas the paper draws a few of many; the latency of a node at its present load is the smoothed
 * response time that this coordinator measured at that octave of reads in flight, or at the nearest
 * one, whereas the paper's servers report a median; reads sent since the report, less those that
 * have ended, count as in flight; no node is removed because of failures.
 *
 * <p>Any thread may call every method; memory is fixed by the cluster's size.
 */
final class PrequalSelector extends ScoredSelector {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.prequal",
              "least latency among replicas that are not crowded, else fewest reads in flight")
          .source("Prequal (NSDI'24)")
          .settings(
              Setting.share(
                  "quantile",
                  0.84,
                  0.01,
                  0.99,
                  "quantile of the reported queues beyond which a node is hot"),
              Setting.duration("max-age", "1s", "1ms", "1min", "older reports do not count"),
              Setting.duration(
                  "probe-every",
                  "50ms",
                  "1ms",
                  "1min",
                  "time between two reads for a node without a report"))
          .facts("pending-reads")
          .make(
              s ->
                  new PrequalSelector(
                      s.real("quantile"), s.number("max-age"), s.number("probe-every"), s.clock()));

  private static final int OCTAVES = 8;
  private static final int REPORTS = 64;
  private static final double WEIGHT = 0.1;
  private static final int HOT_BIT = 62;
  private static final long PROBE = -1;
  private static final long NEVER = Long.MIN_VALUE;

  private final double quantile;
  private final long maxAgeNanos;
  private final long probeEveryNanos;
  private final NanoClock clock;
  private final AtomicLongArray reported = new AtomicLongArray(REPORTS);
  private volatile Nodes nodes = new Nodes(0);
  private volatile long hotAbove = Long.MAX_VALUE;
  private volatile int reports;

  /** The state of each node. */
  private static final class Nodes {
    /** Reads sent since the report, less those that have ended since. */
    final AtomicIntegerArray sentSince;

    /** When the report arrived that sentSince counts from. */
    final AtomicLongArray reportedAt;

    final AtomicIntegerArray failed;
    final AtomicLongArray latencies;
    final AtomicLongArray probedAt;

    Nodes(int capacity) {
      sentSince = new AtomicIntegerArray(capacity);
      failed = new AtomicIntegerArray(capacity);
      latencies = new AtomicLongArray(capacity * OCTAVES);
      probedAt = new AtomicLongArray(capacity);
      reportedAt = new AtomicLongArray(capacity);
      for (int node = 0; node < capacity; node++) {
        probedAt.set(node, NEVER);
        reportedAt.set(node, NEVER);
      }
    }

    /** The latency at the nearest measured octave, the lower of two; 0 if none was measured. */
    long latency(int node, long inFlight) {
      int here = place(node, inFlight);
      long bits = latencies.get(here);
      for (int away = 1; bits == 0 && away < OCTAVES; away++) {
        bits = bits(node, here - away);
        bits = bits == 0 ? bits(node, here + away) : bits;
      }
      return Math.round(Double.longBitsToDouble(bits));
    }

    private long bits(int node, int place) {
      return place < node * OCTAVES || place >= (node + 1) * OCTAVES ? 0 : latencies.get(place);
    }

    /** Records the end of a read; returns whether a report came since the last end. */
    boolean ended(int node, long reportNanos) {
      long last = reportedAt.get(node);
      if (reportNanos > last && reportedAt.compareAndSet(node, last, reportNanos)) {
        sentSince.set(node, 0);
        return true;
      }
      sentSince.decrementAndGet(node);
      return false;
    }

    boolean has(int node) {
      return node >= 0 && node < failed.length();
    }
  }

  /**
   * Creates a selector without measurements.
   *
   * @param quantile of the last 64 reports above which a node is hot, in (0, 1)
   * @param maxAgeNanos older reports do not count
   * @param probeEveryNanos interval of reads sent to a node without a report
   * @param clock the clock of the view's ages
   */
  PrequalSelector(double quantile, long maxAgeNanos, long probeEveryNanos, NanoClock clock) {
    this.quantile = quantile;
    this.maxAgeNanos = maxAgeNanos;
    this.probeEveryNanos = probeEveryNanos;
    this.clock = clock;
  }

  @Override
  long score(Request request, int read, int node, ClusterView view) {
    Nodes known = nodes;
    long age = view.ageNanos(FactColumn.PENDING_READS, node, request.nowNanos());
    boolean silent = !known.has(node) || known.failed.get(node) != 0;
    if (age > maxAgeNanos || request.recalled(silent ? 1 : 0) != 0) {
      boolean due = known.has(node) && isDue(known, node, request.nowNanos());
      return request.recalled(due ? 1 : 0) != 0
          ? PROBE
          : score((long) view.outstandingReads(node) + request.plannedReads(node), 0, -1);
    }
    // In a replay the node may be unknown here; its recalled values are used instead.
    boolean here = known.has(node);
    // More of the reported reads may have ended than were sent since.
    long others =
        view.value(FactColumn.PENDING_READS, node)
            + request.recalled(here ? known.sentSince.get(node) : 0);
    long inFlight = Math.max(0, others) + request.plannedReads(node);
    long latency = request.recalled(here ? known.latency(node, inFlight) : 0);
    return score(inFlight, latency, request.recalled(hotAbove));
  }

  /**
   * Cold nodes first by latency, then hot ones by reads in flight; the other number breaks ties.
   */
  static long score(long inFlight, long latencyNanos, long hotAbove) {
    long few = Math.min(inFlight, 0xFFFF);
    // A latency of up to a minute, and reads in flight below it: 36 and 16 bits.
    long quick = Math.min(latencyNanos, (1L << 36) - 1);
    return inFlight > hotAbove ? 1L << HOT_BIT | few << 36 | quick : quick << 16 | few;
  }

  private boolean isDue(Nodes known, int node, long nowNanos) {
    long last = known.probedAt.get(node);
    return (last == NEVER || nowNanos - last >= probeEveryNanos)
        && known.probedAt.compareAndSet(node, last, nowNanos);
  }

  @Override
  public void sent(int node, long costNanos) {
    Nodes known = nodes;
    if (known.has(node)) {
      known.sentSince.incrementAndGet(node);
    }
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    Nodes known = grown(view.capacity());
    if (!known.has(node)) {
      return;
    }
    long inFlight = view.value(FactColumn.PENDING_READS, node);
    known.failed.set(node, 0);
    boolean anew = known.ended(node, reportNanos(node, view));
    learn(known.latencies, place(node, inFlight), responseNanos);
    if (anew) {
      report(inFlight);
    }
  }

  // Answers bring a report only every few milliseconds, while no read waits only every tenth of a
  // second.
  private long reportNanos(int node, ClusterView view) {
    long now = clock.nanoTime();
    long age = view.ageNanos(FactColumn.PENDING_READS, node, now);
    return age == ClusterView.NEVER ? NEVER : now - age;
  }

  @Override
  public void timedOut(int node, long costNanos) {
    ended(node);
  }

  @Override
  public void cancelled(int node, long costNanos) {
    ended(node);
  }

  private void ended(int node) {
    Nodes known = nodes;
    if (known.has(node)) {
      known.ended(node, NEVER);
    }
  }

  // A node that fails fast looks idle: its report is dropped until it answers again.
  @Override
  public void failed(int node, long costNanos) {
    Nodes known = nodes;
    if (known.has(node)) {
      known.failed.set(node, 1);
      known.ended(node, NEVER);
    }
  }

  @Override
  public void forgotten(int node) {
    Nodes known = nodes;
    if (known.has(node)) {
      known.failed.set(node, 1);
      known.sentSince.set(node, 0);
      known.reportedAt.set(node, NEVER);
      for (int octave = 0; octave < OCTAVES; octave++) {
        known.latencies.set(node * OCTAVES + octave, 0);
      }
    }
  }

  private static void learn(AtomicLongArray latencies, int place, long responseNanos) {
    // The first answer becomes the mean, since a mean that begins at 0 would look fast.
    if (!latencies.compareAndSet(place, 0, Double.doubleToRawLongBits(responseNanos))) {
      Ewma.add(latencies, place, WEIGHT, responseNanos);
    }
  }

  private synchronized void report(long inFlight) {
    reported.set(reports % REPORTS, inFlight);
    // Counts on to below twice the slots, so that it shows whether all are filled.
    reports = reports + 1 == 2 * REPORTS ? REPORTS : reports + 1;
    int filled = Math.min(reports, REPORTS);
    long[] sorted = new long[filled];
    Arrays.setAll(sorted, reported::get);
    Arrays.sort(sorted);
    hotAbove = sorted[(int) Math.min(filled - 1, Math.floor(quantile * filled))];
  }

  private Nodes grown(int capacity) {
    Nodes known = nodes;
    return known.failed.length() >= capacity ? known : grow(capacity);
  }

  private synchronized Nodes grow(int capacity) {
    if (nodes.failed.length() < capacity) {
      nodes = new Nodes(capacity);
    }
    return nodes;
  }

  private static int place(int node, long inFlight) {
    int octave = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, inFlight));
    return node * OCTAVES + Math.min(OCTAVES - 1, octave);
  }
}
