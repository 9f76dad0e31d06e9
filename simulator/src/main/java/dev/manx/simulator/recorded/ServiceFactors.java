/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.record.Executed;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The recorded ratios of service time to forecast, each multiplied by its node's speed. They are
 * factors by which a forecast is multiplied to draw a service time at speed 1.
 *
 * <p>Large reads scatter differently from small ones, and they cause the queues. So forecasts have
 * classes, by powers of two, each with its own factors; a class with few recorded reads uses the
 * factors of all reads.
 */
final class ServiceFactors {
  /** Fewest recorded reads of a class with factors of its own. */
  private static final int FEWEST = 100;

  private final double[][] factors = new double[Long.SIZE][];
  private final double[] means;

  /**
   * Collects the factors of a recording.
   *
   * @throws IllegalArgumentException if no log has an executed read
   */
  ServiceFactors(Recording recording) {
    double[] speeds = recording.speeds();
    DoubleStream.Builder[] collected = new DoubleStream.Builder[Long.SIZE];
    Arrays.setAll(collected, any -> DoubleStream.builder());
    for (NodeRecord log : recording.logs()) {
      for (Executed read : log.executed()) {
        if (read.single() && read.forecastNanos() > 0) {
          collected[classOf(read.forecastNanos())].add(
              speeds[log.node()] * read.serviceNanos() / read.forecastNanos());
        }
      }
    }
    Arrays.setAll(factors, i -> collected[i].build().toArray());
    double[] all = Arrays.stream(factors).flatMapToDouble(Arrays::stream).toArray();
    if (all.length == 0) {
      throw new IllegalArgumentException("no log has a read that its node executed");
    }
    for (int i = 0; i < factors.length; i++) {
      factors[i] = factors[i].length < FEWEST ? all : factors[i];
    }
    means =
        Arrays.stream(factors).mapToDouble(of -> Arrays.stream(of).average().orElse(0)).toArray();
  }

  private static int classOf(long forecastNanos) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(forecastNanos);
  }

  /** A service time at speed 1, at least 1. */
  long draw(long forecastNanos, UniformRandomProvider random) {
    double[] of = factors[classOf(forecastNanos)];
    return Math.max(1, Math.round(forecastNanos * of[random.nextInt(of.length)]));
  }

  /** The mean of the draws, without rounding. */
  double meanNanos(long forecastNanos) {
    return forecastNanos * means[classOf(forecastNanos)];
  }
}
