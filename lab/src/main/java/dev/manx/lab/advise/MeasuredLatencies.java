/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.Recording;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Request latencies measured by the nodes, sorted; each request is weighted by the number of
 * requests per second that it represents.
 */
final class MeasuredLatencies {
  /** Blocks of time of a recording, whose requests count as independent of each other's. */
  static final int BLOCKS = 20;

  /** Quantile of the normal distribution for 95 %. */
  private static final double Z = 1.96;

  /** The same quantile of Student's distribution for this number of blocks. */
  private static final double T = 2.093;

  private final List<Weighed> ends;
  private final double weight;

  /**
   * A request's latency.
   *
   * @param weight the number of requests per second that it represents
   * @param block number of the block of time in which it ended
   */
  record Weighed(long nanos, double weight, int block) {}

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
    List<NodeRecord> logs = recording.logs();
    boolean dated = logs.stream().allMatch(log -> log.epochNanos().isPresent());
    long from = logs.stream().mapToLong(NodeRecord::beganNanos).min().orElseThrow();
    long to = logs.stream().mapToLong(NodeRecord::endedNanos).max().orElseThrow();
    return new MeasuredLatencies(
        logs.stream()
            .flatMap(log -> dated ? of(log, from, to) : of(log, log.beganNanos(), log.endedNanos()))
            .toList());
  }

  /**
   * The latencies of a log, in blocks of the time of all logs; of its own if the logs do not show
   * how their times relate. The same part of each log is then taken for the same time.
   */
  private static Stream<Weighed> of(NodeRecord log, long fromNanos, long toNanos) {
    long zero = log.beganNanos() - log.firstNanos();
    return log.ends().stream()
        .filter(end -> !end.failed())
        .map(
            end ->
                new Weighed(
                    end.latencyNanos(),
                    end.weight() * log.rateOfAnEnd(),
                    block(zero + end.nowNanos() - fromNanos, toNanos - fromNanos)));
  }

  private static int block(long sinceNanos, long spanNanos) {
    return Math.max(0, (int) Math.min(BLOCKS - 1, BLOCKS * sinceNanos / spanNanos));
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
   * The interval of a percentile for recordings of this length: the ranks around it, at the
   * distance that follows from how differently many requests of each block of time are above it
   * (Woodruff, 1952, for clusters). Requests that met one queue are above it together; blocks are
   * much longer than a queue needs to pass.
   *
   * @param part such as 0.99
   */
  Interval interval(double part) {
    double limit = quantile(part);
    double[] all = new double[BLOCKS];
    double[] above = new double[BLOCKS];
    for (Weighed end : ends) {
      all[end.block()] += end.weight();
      above[end.block()] += end.nanos() > limit ? end.weight() : 0;
    }
    double share = Arrays.stream(above).sum() / weight;
    double squares = 0;
    for (int block = 0; block < BLOCKS; block++) {
      squares += Math.pow(above[block] - share * all[block], 2);
    }
    double half = T * Math.sqrt(squares * BLOCKS / (BLOCKS - 1)) / weight;
    return around(part, Math.max(half, independentHalf(part)));
  }

  /**
   * The interval of a percentile if all requests were independent: by the normal approximation of
   * the binomial distribution, for the number of equal weights with the same variance.
   *
   * @param part such as 0.99
   */
  Interval independent(double part) {
    return around(part, independentHalf(part));
  }

  private double independentHalf(double part) {
    return Z * Math.sqrt(part * (1 - part) / equalWeights());
  }

  private double equalWeights() {
    return weight * weight / ends.stream().mapToDouble(end -> end.weight() * end.weight()).sum();
  }

  private Interval around(double part, double half) {
    double above = part + half;
    return new Interval(
        quantile(Math.max(0, part - half)),
        above > 1 - 0.5 / equalWeights() ? Double.POSITIVE_INFINITY : quantile(above));
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
