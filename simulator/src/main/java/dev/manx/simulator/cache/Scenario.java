/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The disturbances of the backends during a run.
 *
 * @param warmUpSeconds before anything is measured, uncompressed
 * @param measuredSeconds after that, uncompressed
 * @param curves of the backends whose capacity changes, by name
 * @param faults of the backends that answer late or with errors, by name
 */
public record Scenario(
    double warmUpSeconds,
    double measuredSeconds,
    Map<String, CapacityCurve> curves,
    Map<String, Fault> faults) {
  private static final double MINUTE = 60;
  private static final double RANGE_STEP = 0.1;

  /** Copies the maps, in their order. */
  public Scenario {
    curves = new LinkedHashMap<>(curves);
    faults = new LinkedHashMap<>(faults);
  }

  /** Without faults. */
  public Scenario(double warmUpSeconds, double measuredSeconds, Map<String, CapacityCurve> curves) {
    this(warmUpSeconds, measuredSeconds, curves, Map.of());
  }

  /**
   * A backend's answers come late by a constant, or some are errors, which fill no cache; neither
   * is mended by fewer queries.
   *
   * @param fromSeconds it begins, after the warm-up, uncompressed
   * @param toSeconds it ends
   * @param delayNanos more of every answer; not compressed
   * @param errors part of the answers that are errors, 0 to 1
   */
  public record Fault(double fromSeconds, double toSeconds, long delayNanos, double errors) {
    boolean at(double second) {
      return second >= fromSeconds && second < toSeconds;
    }
  }

  /**
   * One spike: capacity falls from 1, stays, and comes back.
   *
   * @param backend whose
   * @param minutes when it begins to fall, is at its lowest, begins to rise, and is back
   * @param depth of the fall, as a part of the scenario's full depth
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
   * @param lowest part of the capacity that a spike of depth 1 leaves
   */
  public static Scenario spikes(
      double warmUpSeconds, double measuredSeconds, List<Spike> spikes, double lowest) {
    Map<String, CapacityCurve> curves = new LinkedHashMap<>();
    for (Spike spike : spikes) {
      curves.merge(spike.backend(), spike.curve(lowest), CapacityCurve::and);
    }
    return new Scenario(warmUpSeconds, measuredSeconds, curves);
  }

  /**
   * One backend's capacity falls steadily (section 5.3).
   *
   * @param overSeconds from full capacity to the last part
   * @param to that part
   */
  public static Scenario ramp(
      double warmUpSeconds, double measuredSeconds, String backend, double overSeconds, double to) {
    return new Scenario(
        warmUpSeconds,
        measuredSeconds,
        Map.of(backend, new CapacityCurve(new double[] {0, overSeconds}, new double[] {1, to})));
  }

  /**
   * Capacities walk at random (section 5.4): at every step each moves by a tenth of its range, up
   * or down alike, with a given chance; at the ends of the range it stays.
   *
   * @param lowest end of the range whose upper end is 1
   */
  public static Scenario random(
      double warmUpSeconds,
      double measuredSeconds,
      List<String> backends,
      double stepSeconds,
      double chance,
      double lowest,
      RandomGenerator random) {
    Map<String, CapacityCurve> curves = new LinkedHashMap<>();
    int steps = (int) Math.ceil(measuredSeconds / stepSeconds);
    for (String backend : backends) {
      List<Double> moments = new ArrayList<>(List.of(0.0));
      List<Double> parts = new ArrayList<>(List.of(1.0));
      double part = 1;
      for (int step = 1; step <= steps; step++) {
        boolean moves = random.nextDouble() < chance;
        boolean up = random.nextBoolean();
        if (moves) {
          double next = part + (up ? 1 : -1) * RANGE_STEP * (1 - lowest);
          next = Math.max(lowest, Math.min(1, next));
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
