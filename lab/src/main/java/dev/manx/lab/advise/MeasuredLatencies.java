/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.recorded.Recording;
import java.util.Comparator;
import java.util.List;

/**
 * Request latencies measured by the nodes, sorted; each request is weighted by the number of
 * requests per second that it represents.
 */
final class MeasuredLatencies {
  /** Quantile of the normal distribution for 95 %. */
  private static final double Z = 1.96;

  private final List<Weighed> ends;
  private final double weight;

  /** A request's latency and the number of requests per second that it represents. */
  record Weighed(long nanos, double weight) {}

  /**
   * The 95 % interval of a percentile, in nanoseconds.
   *
   * @param hi infinite if the requests are too few
   */
  record Interval(double lo, double hi) {
    /** Whether it extends further from a value than the given share of that value. */
    boolean isWiderThan(double share, double of) {
      return lo < (1 - share) * of || hi > (1 + share) * of;
    }
  }

  MeasuredLatencies(List<Weighed> unsorted) {
    ends = unsorted.stream().sorted(Comparator.comparingLong(Weighed::nanos)).toList();
    weight = ends.stream().mapToDouble(Weighed::weight).sum();
  }

  /** The latencies of a recording. */
  static MeasuredLatencies of(Recording recording) {
    return new MeasuredLatencies(
        recording.logs().stream()
            .flatMap(
                log ->
                    log.ends().stream()
                        .filter(end -> !end.failed())
                        .map(
                            end ->
                                new Weighed(end.latencyNanos(), end.weight() * log.rateOfAnEnd())))
            .toList());
  }

  /** Number of requests. */
  int requests() {
    return ends.size();
  }

  /** Whether no request was answered. */
  boolean isEmpty() {
    return ends.isEmpty();
  }

  /** The percentiles for comparison. */
  LatencyPercentiles latencies() {
    return new LatencyPercentiles(quantile(0.05), quantile(0.5), quantile(0.95), quantile(0.99));
  }

  /**
   * The interval of a percentile from the order statistics: the ranks around it, by the normal
   * approximation of the binomial distribution, for the number of equal weights with the same
   * variance. Requests are assumed to be independent; those that met one queue are not, so the
   * interval is slightly too narrow.
   *
   * @param part such as 0.99
   */
  Interval interval(double part) {
    double squares = ends.stream().mapToDouble(end -> end.weight() * end.weight()).sum();
    double requests = weight * weight / squares;
    double half = Z * Math.sqrt(part * (1 - part) / requests);
    double above = part + half;
    return new Interval(
        quantile(Math.max(0, part - half)),
        above > 1 - 0.5 / requests ? Double.POSITIVE_INFINITY : quantile(above));
  }

  private double quantile(double part) {
    double rank = part * weight;
    double below = 0;
    for (Weighed end : ends) {
      below += end.weight();
      if (below >= rank) {
        return end.nanos();
      }
    }
    throw new IllegalArgumentException("no request has ended");
  }
}
