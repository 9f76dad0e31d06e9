/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.kind.cache.CacheSettings.NamedScenario;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.CapacityCurve;
import dev.manx.simulator.cache.Scenario;
import dev.manx.simulator.cache.Scenario.Spike;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Reads how the backends' capacity changes; docs/research/cache-simulation.md explains every key.
 */
final class ScenarioReader {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final double RHO_PEAK = 0.88;
  private static final double WARM_UP = 3_600;
  private static final double MEASURED = 10_800;
  private static final double RAMP = 3_000;
  private static final double STEP = 20;
  private static final double PART_OF_REFERENCE = 0.2;

  /** Of RobinHood section 5.2: the production spikes of backends 1, 5, 6 and 8. */
  private static final List<Spike> SPIKES =
      List.of(
          new Spike("b6", List.of(20.0, 30.0, 60.0, 70.0), 1),
          new Spike("b1", List.of(80.0, 90.0, 110.0, 120.0), 1),
          new Spike("b5", List.of(125.0, 135.0, 150.0, 160.0), 1),
          new Spike("b5", List.of(85.0, 91.0, 106.0, 112.0), 0.6),
          new Spike("b8", List.of(135.0, 145.0, 165.0, 172.0), 1),
          new Spike("b8", List.of(40.0, 45.0, 55.0, 60.0), 0.5));

  private final CacheModel model;

  ScenarioReader(CacheModel model) {
    this.model = model;
  }

  /** Reads one scenario. */
  NamedScenario read(String name, ConfigNode node) {
    double warmUp = seconds(node, "warm-up", WARM_UP);
    NamedScenario read =
        switch (node.at("kind").oneOf("spikes", "ramp", "random", "faults", "none")) {
          case "spikes" -> spikes(name, node, warmUp);
          case "ramp" -> ramp(name, node, warmUp);
          case "random" -> random(name, node, warmUp);
          case "faults" -> faults(name, node, warmUp);
          default -> {
            double measured = seconds(node, "measured", MEASURED);
            yield new NamedScenario(
                name, seed -> new Scenario(warmUp, measured, Map.of()), List.of(), List.of());
          }
        };
    node.noOtherKeys();
    return read;
  }

  private NamedScenario spikes(String name, ConfigNode node, double warmUp) {
    double measured = seconds(node, "measured", MEASURED);
    double lowest = lowest(node);
    List<Spike> spikes = new ArrayList<>();
    Optional<ConfigNode> list = node.find("spikes");
    if (list.isPresent()) {
      for (ConfigNode item : list.get().items()) {
        List<Double> minutes =
            item.at("minutes").items().stream().map(m -> m.number(0, 10_000)).toList();
        if (minutes.size() != 4 || !minutes.stream().sorted().toList().equals(minutes)) {
          throw item.at("minutes").refuse("four ascending minutes: falls, lowest, rises, back");
        }
        spikes.add(
            new Spike(
                backend(item.at("backend")),
                minutes,
                item.find("depth").map(d -> d.fraction(0, 1)).orElse(1.0)));
        item.noOtherKeys();
      }
    } else {
      SPIKES.forEach(spike -> known(node, spike.backend()));
      spikes.addAll(SPIKES);
    }
    List<String> watched = spikes.stream().map(Spike::backend).distinct().sorted().toList();
    return new NamedScenario(
        name,
        seed -> Scenario.spikes(warmUp, measured, spikes, lowest),
        watched,
        List.copyOf(spikes));
  }

  private NamedScenario ramp(String name, ConfigNode node, double warmUp) {
    double over = seconds(node, "over", RAMP);
    double measured = seconds(node, "measured", over);
    String backend = backend(node.at("backend"));
    double to = node.at("to").fraction(CapacityCurve.LEAST, 1);
    return new NamedScenario(
        name,
        seed -> Scenario.ramp(warmUp, measured, backend, over, to),
        List.of(backend),
        List.of());
  }

  private NamedScenario random(String name, ConfigNode node, double warmUp) {
    double measured = seconds(node, "measured", MEASURED);
    double lowest = lowest(node);
    double step = seconds(node, "step", STEP);
    double chance = node.find("chance").map(c -> c.fraction(0, 1)).orElse(0.5);
    List<String> backends =
        node.find("backends")
            .map(n -> n.items().stream().map(this::backend).distinct().toList())
            .orElse(List.of("b1", "b5", "b6", "b8"));
    backends.forEach(backend -> known(node, backend));
    LongFunction<Scenario> of =
        seed ->
            Scenario.random(
                warmUp, measured, backends, step, chance, lowest, new SplittableRandom(~seed));
    return new NamedScenario(name, of, backends, List.of());
  }

  private NamedScenario faults(String name, ConfigNode node, double warmUp) {
    double measured = seconds(node, "measured", MEASURED);
    Map<String, Scenario.Fault> faults = new LinkedHashMap<>();
    List<Spike> spikes = new ArrayList<>();
    for (ConfigNode item : node.at("faults").items()) {
      List<Double> minutes =
          item.at("minutes").items().stream().map(m -> m.number(0, 10_000)).toList();
      if (minutes.size() != 2 || minutes.get(0) > minutes.get(1)) {
        throw item.at("minutes").refuse("two ascending minutes: begins, ends");
      }
      long delay = item.find("delay").map(n -> n.durationNanos(0, 3_600 * SECOND)).orElse(0L);
      double errors = item.find("errors").map(n -> n.fraction(0, 1)).orElse(0.0);
      double from = minutes.get(0);
      double to = minutes.get(1);
      String backend = backend(item.at("backend"));
      faults.put(backend, new Scenario.Fault(60 * from, 60 * to, delay, errors));
      spikes.add(new Spike(backend, List.of(from, from, to, to), 1));
      item.noOtherKeys();
    }
    return new NamedScenario(
        name,
        seed -> new Scenario(warmUp, measured, Map.of(), faults),
        List.copyOf(faults.keySet()),
        spikes);
  }

  /** The first part of the spikes' scenario, in which TAO++ finds its shares. */
  LongFunction<Scenario> reference() {
    double lowest = model.utilisation() / RHO_PEAK;
    boolean known = SPIKES.stream().allMatch(spike -> model.names().contains(spike.backend()));
    return seed ->
        Scenario.spikes(WARM_UP, MEASURED * PART_OF_REFERENCE, known ? SPIKES : List.of(), lowest);
  }

  /** The part of its capacity at which a backend under a shared LRU is used to rho-peak. */
  private double lowest(ConfigNode node) {
    double peak = node.find("rho-peak").map(n -> n.fraction(0.01, 10)).orElse(RHO_PEAK);
    if (peak < model.utilisation()) {
      throw node.at("rho-peak").refuse("at least the utilisation " + model.utilisation());
    }
    return Math.max(CapacityCurve.LEAST, model.utilisation() / peak);
  }

  private String backend(ConfigNode node) {
    known(node, node.text());
    return node.text();
  }

  private void known(ConfigNode node, String backend) {
    if (!model.names().contains(backend)) {
      throw node.refuse("backends of the workload: " + String.join(", ", model.names()));
    }
  }

  private static double seconds(ConfigNode node, String key, double standard) {
    return node.find(key).map(n -> n.durationNanos(SECOND, DAY) / (double) SECOND).orElse(standard);
  }
}
