/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.load.Background;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads experiment files; {@code examples/reference.yaml} shows every key. */
public final class ClusterExperimentReader {
  private static final long SECOND = 1_000_000_000L;
  private static final String[] CLASSES = {"single", "narrow", "wide", "small", "large"};

  private ClusterExperimentReader() {}

  /**
   * Reads a file.
   *
   * @param overrides values of {@code --set} by dotted path
   * @throws ConfigException if it cannot be read or anything in it is refused
   */
  public static ClusterExperiment read(Path file, Map<String, String> overrides) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
    return parse(file.toString(), text, file.toAbsolutePath().getParent(), overrides);
  }

  /**
   * Reads a text.
   *
   * @param file the name that errors carry
   * @param folder that names of strategy files are relative to
   */
  public static ClusterExperiment parse(
      String file, String text, Path folder, Map<String, String> overrides) {
    ConfigNode top = ConfigNode.parse(file, text, overrides);
    Head head =
        Head.read(file, Choices.none(), top, ClusterKind.WORDS.on(), CommonSettings.seeds(top));
    WorkloadSpec workload = WorkloadReader.read(top.at("workload"));
    ConfigNode nothing = ConfigNode.parse(file, "none: {}").at("none");
    ConfigNode clusterNode = top.find("cluster").orElse(nothing);
    int replicationFactor = ClusterReader.replicationFactor(clusterNode);
    long keyBytes = workload.keySpace().totalBytes();
    ClusterSettings cluster =
        ClusterReader.read(clusterNode, top.find("service-model"), top.find("storage"), keyBytes);
    ClusterExperiment.ClientSettings client =
        client(top.find("client").orElse(nothing), cluster.coordinatorsOnly() > 0);
    List<ClusterArm> arms = new ArmReader(folder).read(top.at("arms"));
    long window =
        top.find("window").map(node -> node.durationNanos(SECOND / 10, 86_400 * SECOND)).orElse(0L);
    long requests = requests(top, window);
    List<Load> loads = loads(top.at("loads"), cluster);
    ClusterExperiment experiment =
        new ClusterExperiment(
            head,
            cluster,
            replicationFactor,
            workload,
            client,
            top.find("background").map(BackgroundReader::read).orElse(Background.NONE),
            classes(top.find("classes")),
            loads,
            rounds(top.find("rounds"), head.quick()),
            top.find("settle").map(node -> node.durationNanos(0, 600 * SECOND)).orElse(12 * SECOND),
            top.find("settle-load").map(node -> load(node, cluster)).orElse(loads.get(0)),
            top.find("warm-up").map(node -> node.durationNanos(0, 600 * SECOND)).orElse(2 * SECOND),
            window,
            requests,
            top.find("events")
                .map(node -> NodeEvent.read(node, cluster.nodes(), window, cluster.model() != null))
                .orElse(List.of()),
            arms,
            top.find("saturation").map(ClusterExperimentReader::saturation).orElse(null));
    top.noOtherKeys();
    check(top, experiment);
    return experiment;
  }

  private static void check(ConfigNode top, ClusterExperiment experiment) {
    if (experiment.cluster().coordinatorsOnly() > 0) {
      for (ClusterArm arm : experiment.arms()) {
        if (arm.driver().isPresent()) {
          throw top.at("arms")
              .at(arm.name())
              .at("driver")
              .refuse("none with cluster.coordinators-only, where the driver has no choice");
        }
      }
    }
    if (experiment.cluster().storage() != null
        && experiment.events().stream().anyMatch(Disturbance::isRestart)) {
      throw top.at("events").refuse("no restart with storage: a new process would have no limits");
    }
  }

  /** The driver's own policy would send requests to nodes that hold data, too. */
  private static ClusterExperiment.ClientSettings client(ConfigNode node, boolean someOnly) {
    ClusterExperiment.ClientSettings client =
        new ClusterExperiment.ClientSettings(
            node.find("consistency")
                .map(n -> n.oneOf("one", "local_one", "quorum", "local_quorum", "all"))
                .orElse("one"),
            node.find("coordinators")
                .map(
                    n ->
                        someOnly
                            ? n.oneOf("round-robin")
                            : n.oneOf("driver-default", "round-robin"))
                .orElse(someOnly ? "round-robin" : "driver-default"),
            node.find("timeout")
                .map(n -> n.durationNanos(SECOND / 10, 600 * SECOND))
                .orElse(10 * SECOND),
            node.find("max-outstanding").map(n -> (int) n.integer(1, 1_000_000)).orElse(20_000));
    node.noOtherKeys();
    return client;
  }

  private static SaturationGoal saturation(ConfigNode node) {
    SaturationGoal goal =
        new SaturationGoal(
            node.find("percentile").map(n -> n.number(1, 100)).orElse(99.0),
            node.at("at-most").durationNanos(1_000, 600 * SECOND),
            node.find("tolerance").map(n -> n.fraction(0.001, 1)).orElse(0.05),
            node.find("trials").map(n -> (int) n.integer(2, 100)).orElse(10),
            node.find("repeats").map(n -> (int) n.integer(1, 100)).orElse(8));
    node.noOtherKeys();
    return goal;
  }

  private static long requests(ConfigNode top, long window) {
    Optional<ConfigNode> node = top.find("requests");
    if (node.isPresent() && window > 0) {
      throw node.get().refuse("window or requests, not both");
    }
    if (node.isEmpty() && window == 0) {
      throw new ConfigException(
          top.file(), top.line(), "window", null, "a duration, or requests: a number");
    }
    return node.map(n -> n.integer(10, 1_000_000_000)).orElse(0L);
  }

  private static List<RequestClass> classes(Optional<ConfigNode> node) {
    List<String> names =
        node.map(n -> n.items().stream().map(item -> item.oneOf(CLASSES)).toList())
            .orElse(List.of(CLASSES));
    return names.stream().distinct().map(RequestClass::ofLabel).toList();
  }

  private static List<Load> loads(ConfigNode node, ClusterSettings cluster) {
    List<Load> loads = new ArrayList<>();
    for (ConfigNode item : node.items()) {
      loads.add(load(item, cluster));
    }
    if (loads.isEmpty()) {
      throw node.refuse("at least one load");
    }
    return loads;
  }

  private static Load load(ConfigNode item, ClusterSettings cluster) {
    String text = item.text();
    if (Units.perSecond(text).isPresent()) {
      return new Load(text, Double.NaN, item.perSecond(0.1, 1e6));
    }
    if (text.matches("[1-9][0-9]{0,3} clients?")) {
      return new Load(text, Double.NaN, Double.NaN, Integer.parseInt(text.split(" ")[0]));
    }
    if (Units.fraction(text).isEmpty()) {
      throw item.refuse(
          "a share of the modelled capacity (70%), a rate (120/s) or a closed loop (16 clients)");
    }
    if (cluster.model() == null) {
      throw item.refuse(
          "a rate such as 120/s: without service-model there is no modelled capacity to take a"
              + " share of");
    }
    return new Load(text, item.fraction(0.001, 2), Double.NaN);
  }

  private static int rounds(Optional<ConfigNode> node, boolean quick) {
    int enough = PairedComparison.MIN_ROUNDS;
    int rounds = node.map(n -> (int) n.integer(1, 1000)).orElse(enough);
    if (rounds < enough && !quick) {
      throw node.orElseThrow()
          .refuse(enough + " to 1000 (fewer only with quick: true, which marks the result)");
    }
    return rounds;
  }
}
