/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.c3}: score of response time, service time and the cube of the expected queue.
 *
 * <p>{@code q = 1 + outstanding * clients + mean queue; score = R - T + q^3 * T}, smallest first.
 * Response time R, service time T and queue are means over the answers to this coordinator.
 *
 * <p>Source: C3 (NSDI'15) section 3.1. Deviations: ranking only, without rate control; nanoseconds
 * throughout; reads planned for the same request count as outstanding; nodes that never answered
 * come first, ordered by outstanding reads; a node that never answered after a read timed out
 * counts as if it took a second, since it would attract every read otherwise; a node that does not
 * report facts (it runs without Manx) gets its response time as service time, for the same reason;
 * a value reported more than a second ago is forgotten, the queue as 0 and the service time as the
 * response time, since a node that reported a long queue would never be asked again otherwise.
 *
 * <p>{@link Reading} computes the parts as Hector's C3 does, for comparison: in Hector, means are
 * medians of decaying reservoirs, times are whole milliseconds, the service time is the time
 * between two ends of reads, and equal scores stay in stock order. Here, outstanding reads are
 * counted at the decision rather than every 100 ms.
 */
final class C3Selector extends ScoredSelector {
  static final Setting EWMA_WEIGHT =
      Setting.share("ewma-weight", 0.9, 0.001, 1, "weight of the newest sample");
  static final Setting CLIENTS =
      Setting.number("clients", 3, 0, 100_000, "coordinators that read from one node");

  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.c3",
              "response time, service time and the cube of the expected queue; ranking only")
          .source("C3 (NSDI'15) section 3.1")
          .settings(
              EWMA_WEIGHT,
              CLIENTS,
              Setting.word(
                  "smoothing",
                  "smoothing of reported values; median: of a decaying reservoir, every 100 ms",
                  "ewma",
                  "median"),
              Setting.word("rounding", "times are rounded down to this", "none", "1us", "1ms"),
              Setting.word(
                  "service",
                  "source of service times; completions: the time between two ends of reads,"
                      + " needs the fact completed-reads",
                  "reported",
                  "completions"),
              Setting.word("ties", "order of equal scores", "random", "stock-order"))
          .facts("pending-reads", "service-time")
          .make(
              s ->
                  new C3Selector(
                      s.real("ewma-weight"),
                      s.real("clients"),
                      new Reading(
                          s.word("smoothing").equals("median"),
                          rounding(s.word("rounding")),
                          s.word("service").equals("completions"),
                          s.word("ties").equals("random")),
                      s.clock(),
                      s.random()));

  /**
   * Defines how the parts of the score are computed.
   *
   * @param medians medians of decaying reservoirs rather than exponentially weighted means
   * @param roundingNanos response and service times are floored to multiples of this
   * @param byCompletions the time between two ends of reads serves as the service time
   * @param tiesByChance equal scores in random rather than stock order
   */
  public record Reading(
      boolean medians, long roundingNanos, boolean byCompletions, boolean tiesByChance) {
    /** As in the paper. */
    public static final Reading PAPER = new Reading(false, 1, false, true);
  }

  private static final double SILENT_NANOS = 1e9;
  private static final long MAX_AGE_NANOS = 1_000_000_000;

  private final NodeMeans means;
  private final double clients;
  private final Reading reading;
  private final CompletionTimes completions = new CompletionTimes();
  private final NanoClock clock;

  /**
   * Creates a selector without measurements; the parts are computed as in the paper.
   *
   * @param weight of the newest sample, in (0, 1]
   * @param clients coordinators that read from the same nodes, a factor for this coordinator's
   *     outstanding reads
   */
  C3Selector(double weight, double clients) {
    this(weight, clients, Reading.PAPER, () -> 0, new SplitMix(0));
  }

  /**
   * Creates a selector without measurements.
   *
   * @param weight of the newest sample, in (0, 1]; unused with medians
   * @param clients coordinators that read from the same nodes, a factor for this coordinator's
   *     outstanding reads
   */
  C3Selector(double weight, double clients, Reading reading, NanoClock clock, SplitMix random) {
    super(reading.tiesByChance);
    means = reading.medians ? new MedianMeans(clock, random) : new SmoothedMeans(weight);
    this.clients = clients;
    this.reading = reading;
    this.clock = clock;
  }

  /** The score from its parts; all times in the same unit. */
  public static double score(
      double response, double service, double queue, double outstanding, double clients) {
    double expected = 1 + outstanding * clients + queue;
    return response - service + expected * expected * expected * service;
  }

  @Override
  long score(Request request, int read, int node, ClusterView view) {
    double outstanding = (double) view.outstandingReads(node) + request.plannedReads(node);
    boolean known = request.recalled(means.isKnown(node) ? 1 : 0) != 0;
    double response = recalled(request, means.response(node));
    double service = recalled(request, service(node, view, request.nowNanos()));
    double queue = recalled(request, queue(node, view, request.nowNanos()));
    return sortable(known ? score(outstanding, response, service, queue) : unknown(outstanding));
  }

  /** A node's score; below 0, and lower with fewer outstanding reads, if it never answered. */
  double score(double outstanding, int node, ClusterView view, long nowNanos) {
    return means.isKnown(node)
        ? score(
            outstanding,
            means.response(node),
            service(node, view, nowNanos),
            queue(node, view, nowNanos))
        : unknown(outstanding);
  }

  private double service(int node, ClusterView view, long nowNanos) {
    FactColumn from = reading.byCompletions ? FactColumn.COMPLETED_READS : FactColumn.SERVICE_TIME;
    return isOld(from, node, view, nowNanos) ? means.response(node) : means.service(node);
  }

  private double queue(int node, ClusterView view, long nowNanos) {
    return isOld(FactColumn.PENDING_READS, node, view, nowNanos) ? 0 : means.queue(node);
  }

  private static boolean isOld(FactColumn fact, int node, ClusterView view, long nowNanos) {
    return view.ageNanos(fact, node, nowNanos) > MAX_AGE_NANOS;
  }

  private double score(double outstanding, double response, double service, double queue) {
    return Math.max(0, score(response, service, queue, outstanding, clients));
  }

  private static double unknown(double outstanding) {
    return -1 / (1 + outstanding);
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    if (node < 0 || node >= view.capacity()) {
      return;
    }
    long response = Math.max(1, responseNanos);
    long service;
    if (reading.byCompletions) {
      long count = view.value(FactColumn.COMPLETED_READS, node);
      service = completions.between(node, count, clock.nanoTime());
      if (service < 0) {
        return;
      }
    } else {
      long reported = view.value(FactColumn.SERVICE_TIME, node);
      service = reported > 0 ? reported : response;
    }
    means.add(
        node,
        view.capacity(),
        floored(response),
        floored(service),
        (double) view.value(FactColumn.PENDING_READS, node));
  }

  @Override
  public void timedOut(int node, long costNanos) {
    if (node >= 0 && !means.isKnown(node)) {
      means.add(node, node + 1, SILENT_NANOS, SILENT_NANOS, 0);
    }
  }

  @Override
  public void forgotten(int node) {
    means.forget(node);
    completions.forget(node);
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    means.tick(nowNanos);
  }

  @Override
  public long tickIntervalNanos() {
    return means.tickIntervalNanos();
  }

  private double floored(long nanos) {
    return (double) (nanos - nanos % reading.roundingNanos);
  }

  private static double recalled(Request request, double own) {
    return Double.longBitsToDouble(request.recalled(Double.doubleToRawLongBits(own)));
  }

  /** A long that sorts like the double. */
  private static long sortable(double score) {
    long bits = Double.doubleToLongBits(score);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }

  /** The unit that times are rounded down to, in nanoseconds, for the word of its setting. */
  static long rounding(String word) {
    return word.equals("none") ? 1 : Units.durationNanos(word).orElseThrow();
  }
}
