/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.kind.cache.CacheModelSettings.NamedScenario;
import dev.manx.lab.kind.cache.CacheModelSettings.Workload;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.CapacityCurve;
import dev.manx.simulator.cache.Scenario;
import dev.manx.simulator.cache.Scenario.Spike;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * Reads scenarios of the backends' capacity; docs/research/cache-simulation.md explains every key.
 */
final class ScenarioReader {
  private static final double SECOND = 1e9;
  private static final double RHO_PEAK = 0.88;
  private static final double WARM_UP = 3_600;
  private static final double MEASURED = 10_800;
  private static final double PART_OF_REFERENCE = 0.2;

  /** RobinHood section 5.2: the production spikes of backends 1, 5, 6 and 8. */
  private static final List<Spike> SPIKES =
      List.of(
          new Spike("b6", List.of(20.0, 30.0, 60.0, 70.0), 1),
          new Spike("b1", List.of(80.0, 90.0, 110.0, 120.0), 1),
          new Spike("b5", List.of(125.0, 135.0, 150.0, 160.0), 1),
          new Spike("b5", List.of(85.0, 91.0, 106.0, 112.0), 0.6),
          new Spike("b8", List.of(135.0, 145.0, 165.0, 172.0), 1),
          new Spike("b8", List.of(40.0, 45.0, 55.0, 60.0), 0.5));

  private static final Key WARM =
      Key.of(Setting.duration("warm-up", "1h", "1s", "24h", "load before it, discarded"));
  private static final Key LENGTH =
      Key.of(
          Setting.duration(
              "measured", "3h", "1s", "24h", "length of the measured part, after the warm-up"));
  private static final Key PEAK =
      Key.of(
          Setting.share(
              "rho-peak",
              RHO_PEAK,
              0.01,
              10,
              "use of a slow backend under a shared LRU, at least the utilisation"));
  private static final Key BACKEND =
      Key.required(Setting.anyText("backend", null, "name of the backend"));

  private static Key minutes(String meaning) {
    return Key.requiredItems(Setting.number("minutes", 0, 0, 10_000, meaning));
  }

  /** A scenario. */
  static final Forms SHAPE =
      Forms.byKind(
          Setting.word(
                  "kind",
                  "kind of disturbance",
                  "spikes",
                  "ramp",
                  "random",
                  "faults",
                  "new-server",
                  "none")
              .withoutStandard(),
          Map.of(
              "spikes",
              Section.of(
                  WARM,
                  LENGTH,
                  PEAK,
                  Key.optional(
                          "spikes",
                          new Items(
                              Section.of(
                                  BACKEND,
                                  minutes("four, ascending: falls, lowest, rises, back"),
                                  Key.of(Setting.share("depth", 1, 0, 1, "depth of the fall")))),
                          "times when capacities fall")
                      .otherwise("those of RobinHood's section 5.2")),
              "ramp",
              Section.of(
                  WARM,
                  Key.of(Setting.duration("over", "50min", "1s", "24h", "duration of the fall")),
                  Key.optional(
                      Setting.duration(
                          "measured", "1s", "1s", "24h", "length of the measured part")),
                  BACKEND,
                  Key.required(
                      Setting.share("to", 1, CapacityCurve.LEAST, 1, "the capacity at the end"))),
              "random",
              Section.of(
                  WARM,
                  LENGTH,
                  PEAK,
                  Key.of(Setting.duration("step", "20s", "1s", "24h", "between changes")),
                  Key.of(
                      Setting.share("chance", 0.5, 0, 1, "probability of a change at each step")),
                  Key.of(
                      Setting.anyText("backends", null, "backends whose capacity changes"),
                      List.of("b1", "b5", "b6", "b8"))),
              "faults",
              Section.of(
                  WARM,
                  LENGTH,
                  Key.required(
                      "faults",
                      new Items(
                          Section.of(
                              BACKEND,
                              minutes("two, ascending: begins, ends"),
                              Key.of(
                                  Setting.duration("delay", "0", "0", "1h", "added to each load")),
                              Key.of(Setting.share("errors", 0, 0, 1, "loads that fail")))),
                      "faults of backends and their times")),
              "new-server",
              Section.of(
                  WARM,
                  LENGTH,
                  Key.of(
                      Setting.duration(
                          "at", "10min", "0", "24h", "when one application server starts anew"))),
              "none",
              Section.of(WARM, LENGTH)));

  private final CacheModel model;
  private final boolean isOnerf;

  ScenarioReader(Workload workload) {
    model = workload.model();
    isOnerf = workload.isOnerf();
  }

  /** Reads one scenario. */
  NamedScenario read(String name, Part part) {
    double warmUp = seconds(part, "warm-up");
    return switch (part.word("kind")) {
      case "spikes" -> spikes(name, part, warmUp);
      case "ramp" -> ramp(name, part, warmUp);
      case "random" -> random(name, part, warmUp);
      case "faults" -> faults(name, part, warmUp);
      case "new-server" -> newServer(name, part, warmUp);
      default -> {
        double measured = seconds(part, "measured");
        yield new NamedScenario(
            name, seed -> new Scenario(warmUp, measured, Map.of()), List.of(), List.of());
      }
    };
  }

  private NamedScenario spikes(String name, Part part, double warmUp) {
    double measured = seconds(part, "measured");
    ToDoubleFunction<String> lowest = lowest(part);
    List<Spike> spikes = new ArrayList<>();
    for (Part item : part.parts("spikes")) {
      List<Double> minutes = item.items("minutes", Double.class);
      if (minutes.size() != 4 || !minutes.stream().sorted().toList().equals(minutes)) {
        throw item.node("minutes").refuse("four ascending minutes: falls, lowest, rises, back");
      }
      begins(item, minutes.get(0), measured);
      spikes.add(new Spike(backend(item), minutes, item.real("depth")));
    }
    if (!part.has("spikes")) {
      SPIKES.forEach(spike -> known(part.node(), spike.backend()));
      spikes.addAll(SPIKES);
    }
    List<String> watched = spikes.stream().map(Spike::backend).distinct().sorted().toList();
    return new NamedScenario(
        name,
        seed -> Scenario.spikes(warmUp, measured, spikes, lowest),
        watched,
        List.copyOf(spikes));
  }

  private NamedScenario ramp(String name, Part part, double warmUp) {
    double over = seconds(part, "over");
    double measured = part.has("measured") ? seconds(part, "measured") : over;
    String backend = backend(part);
    double to = part.real("to");
    return new NamedScenario(
        name,
        seed -> Scenario.ramp(warmUp, measured, backend, over, to),
        List.of(backend),
        List.of());
  }

  private NamedScenario random(String name, Part part, double warmUp) {
    double measured = seconds(part, "measured");
    ToDoubleFunction<String> lowest = lowest(part);
    double step = seconds(part, "step");
    double chance = part.real("chance");
    List<String> backends = part.words("backends").stream().distinct().toList();
    backends.forEach(backend -> known(part.node(), backend));
    LongFunction<Scenario> of =
        seed ->
            Scenario.random(
                warmUp, measured, backends, step, chance, lowest, new SplittableRandom(~seed));
    return new NamedScenario(name, of, backends, List.of());
  }

  private NamedScenario faults(String name, Part part, double warmUp) {
    double measured = seconds(part, "measured");
    Map<String, Scenario.Fault> faults = new LinkedHashMap<>();
    List<Spike> spikes = new ArrayList<>();
    for (Part item : part.parts("faults")) {
      List<Double> minutes = item.items("minutes", Double.class);
      if (minutes.size() != 2 || minutes.get(0) > minutes.get(1)) {
        throw item.node("minutes").refuse("two ascending minutes: begins, ends");
      }
      begins(item, minutes.get(0), measured);
      if (item.number("delay") == 0 && item.real("errors") == 0) {
        throw item.node().refuse("a delay or errors: this fault has no effect");
      }
      double from = minutes.get(0);
      double to = minutes.get(1);
      String backend = backend(item);
      if (faults.containsKey(backend)) {
        throw item.node("backend").refuse("one fault of each backend");
      }
      faults.put(
          backend,
          new Scenario.Fault(60 * from, 60 * to, item.number("delay"), item.real("errors")));
      spikes.add(new Spike(backend, List.of(from, from, to, to), 1));
    }
    return new NamedScenario(
        name,
        seed -> new Scenario(warmUp, measured, Map.of(), faults),
        List.copyOf(faults.keySet()),
        spikes);
  }

  private NamedScenario newServer(String name, Part part, double warmUp) {
    double measured = seconds(part, "measured");
    double at = seconds(part, "at");
    if (at >= measured) {
      throw part.node("at")
          .refuse("a time within the measured " + Units.duration((long) (measured * SECOND)));
    }
    if (model.servers() < 2) {
      throw part.node().refuse("model.servers of at least 2: a new server and another one");
    }
    return new NamedScenario(
        name, seed -> Scenario.newServer(warmUp, measured, at), List.of(), List.of());
  }

  /** Refuses a disturbance after the end, which would leave a calm scenario under its name. */
  private static void begins(Part item, double minute, double measuredSeconds) {
    if (minute * 60 >= measuredSeconds) {
      throw item.node("minutes")
          .refuse(
              "minutes that begin within the measured "
                  + Units.duration((long) (measuredSeconds * SECOND)));
    }
  }

  /**
   * The scenario in which TAO++ determines its shares: the first part of the paper's spikes; calm
   * for other workloads than the paper's, also if backends happen to have the same names.
   */
  LongFunction<Scenario> reference() {
    ToDoubleFunction<String> lowest = backend -> model.capacityAt(RHO_PEAK, backend);
    List<Spike> spikes = isOnerf ? SPIKES : List.of();
    return seed -> Scenario.spikes(WARM_UP, MEASURED * PART_OF_REFERENCE, spikes, lowest);
  }

  /**
   * The fraction of its capacity at which a backend, by name, has utilisation rho-peak under a
   * shared LRU.
   */
  private ToDoubleFunction<String> lowest(Part part) {
    double peak = part.real("rho-peak");
    if (peak < model.utilisation()) {
      throw part.node().refuse("a rho-peak of at least the utilisation " + model.utilisation());
    }
    return backend -> model.capacityAt(peak, backend);
  }

  private String backend(Part part) {
    known(part.node("backend"), part.word("backend"));
    return part.word("backend");
  }

  private void known(ConfigNode node, String backend) {
    if (!model.names().contains(backend)) {
      throw node.refuse("backends of the workload: " + String.join(", ", model.names()));
    }
  }

  private static double seconds(Part part, String key) {
    return part.number(key) / SECOND;
  }
}
