/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * The disturbances of the backends during a run.
 *
 * @param warmUpSeconds before the measurement, uncompressed
 * @param measuredSeconds after the warm-up, uncompressed
 * @param curves capacity by name of the backends whose capacity changes
 * @param faults faults by name of the backends that answer late or with errors
 * @param newServerSeconds after the warm-up, uncompressed: when one application server starts anew,
 *     with an empty cache and the shares of a first start; empty for never
 */
public record Scenario(
    double warmUpSeconds,
    double measuredSeconds,
    Map<String, CapacityCurve> curves,
    Map<String, Fault> faults,
    OptionalDouble newServerSeconds) {
  private static final double MINUTE = 60;
  private static final double RANGE_STEP = 0.1;

  /** Copies the maps, in their order. */
  public Scenario {
    curves = new LinkedHashMap<>(curves);
    faults = new LinkedHashMap<>(faults);
  }

  /** Creates a scenario without a new server. */
  public Scenario(
      double warmUpSeconds,
      double measuredSeconds,
      Map<String, CapacityCurve> curves,
      Map<String, Fault> faults) {
    this(warmUpSeconds, measuredSeconds, curves, faults, OptionalDouble.empty());
  }

  /** Creates a scenario without faults. */
  public Scenario(double warmUpSeconds, double measuredSeconds, Map<String, CapacityCurve> curves) {
    this(warmUpSeconds, measuredSeconds, curves, Map.of());
  }

  /** Whether there are no disturbances. */
  public boolean isCalm() {
    return curves.isEmpty() && faults.isEmpty() && newServerSeconds.isEmpty();
  }

  /**
   * A fault of a backend: answers delayed by a constant, or errors, which are not cached. Sending
   * fewer queries does not reduce either.
   *
   * @param fromSeconds start after the warm-up, uncompressed
   * @param toSeconds end
   * @param delayNanos added to every answer; not compressed
   * @param errors fraction of the answers that are errors, 0 to 1
   */
  public record Fault(double fromSeconds, double toSeconds, long delayNanos, double errors) {
    boolean at(double second) {
      return second >= fromSeconds && second < toSeconds;
    }
  }

  /**
   * A spike: capacity falls from 1, stays low and recovers.
   *
   * @param backend the backend's name
   * @param minutes start of the fall, start of the lowest level, start of the rise, and end
   * @param depth of the fall, as a fraction of the scenario's full depth
   */
  public record Spike(String backend, List<Double> minutes, double depth) {
    /** Checks the moments. */
    public Spike {
      minutes = List.copyOf(minutes);
      if (minutes.size() != 4) {
        throw new IllegalArgumentException("a spike has four moments, not " + minutes);
      }
    }

    CapacityCurve curve(double lowest) {
      double low = 1 - depth * (1 - lowest);
      return new CapacityCurve(
          minutes.stream().mapToDouble(m -> m * MINUTE).toArray(), new double[] {1, low, low, 1});
    }
  }

  /**
   * Spikes (RobinHood section 5.2).
   *
   * @param lowest fraction of its capacity that a spike of depth 1 leaves to a backend, by name
   */
  public static Scenario spikes(
      double warmUpSeconds,
      double measuredSeconds,
      List<Spike> spikes,
      ToDoubleFunction<String> lowest) {
    Map<String, CapacityCurve> curves = new LinkedHashMap<>();
    for (Spike spike : spikes) {
      double least = lowest.applyAsDouble(spike.backend());
      curves.merge(spike.backend(), spike.curve(least), CapacityCurve::and);
    }
    return new Scenario(warmUpSeconds, measuredSeconds, curves);
  }

  /**
   * One application server starts anew while the backends stay as they are (section 3.2).
   *
   * @param atSeconds after the warm-up
   */
  public static Scenario newServer(double warmUpSeconds, double measuredSeconds, double atSeconds) {
    return new Scenario(
        warmUpSeconds, measuredSeconds, Map.of(), Map.of(), OptionalDouble.of(atSeconds));
  }

  /**
   * One backend's capacity falls steadily (section 5.3).
   *
   * @param overSeconds duration of the fall
   * @param to final fraction of the capacity
   */
  public static Scenario ramp(
      double warmUpSeconds, double measuredSeconds, String backend, double overSeconds, double to) {
    return new Scenario(
        warmUpSeconds,
        measuredSeconds,
        Map.of(backend, new CapacityCurve(new double[] {0, overSeconds}, new double[] {1, to})));
  }

  /**
   * Capacities walk at random (section 5.4): at every step each moves by a tenth of its range with
   * a given probability, up or down equally likely, within the range.
   *
   * @param lowest end of a backend's range, by name; the upper end is 1
   */
  public static Scenario random(
      double warmUpSeconds,
      double measuredSeconds,
      List<String> backends,
      double stepSeconds,
      double chance,
      ToDoubleFunction<String> lowest,
      RandomGenerator random) {
    Map<String, CapacityCurve> curves = new LinkedHashMap<>();
    int steps = (int) Math.ceil(measuredSeconds / stepSeconds);
    for (String backend : backends) {
      double least = lowest.applyAsDouble(backend);
      List<Double> moments = new ArrayList<>(List.of(0.0));
      List<Double> parts = new ArrayList<>(List.of(1.0));
      double part = 1;
      for (int step = 1; step <= steps; step++) {
        boolean moves = random.nextDouble() < chance;
        boolean up = random.nextBoolean();
        if (moves) {
          double next = part + (up ? 1 : -1) * RANGE_STEP * (1 - least);
          next = Math.max(least, Math.min(1, next));
          moments.addAll(Arrays.asList(step * stepSeconds, step * stepSeconds));
          parts.addAll(Arrays.asList(part, next));
          part = next;
        }
      }
      curves.put(
          backend,
          new CapacityCurve(
              moments.stream().mapToDouble(m -> m).toArray(),
              parts.stream().mapToDouble(p -> p).toArray()));
    }
    return new Scenario(warmUpSeconds, measuredSeconds, curves);
  }
}
