/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.contention.idle.Case;
import dev.manx.contention.idle.WaitingLoad;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.idle.IdleExperiment.IdleArm;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files of experiments {@code on: idle}; examples/idle-strategies.yaml shows every key. */
final class IdleReader {
  private static final long MICRO = 1_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long QUICK_WINDOW_NANOS = 1_500_000_000L;

  private IdleReader() {}

  /**
   * Reads a file and applies what the command line chose.
   *
   * @throws ConfigException if the file or a choice is refused
   */
  static IdleExperiment read(Path file, Choices choices) {
    try {
      return parse(file.toString(), Files.readString(file), choices);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
  }

  static IdleExperiment parse(String file, String text, Choices choices) {
    choices.refuse("requests", "no requests on: idle; use --set window=5s, the length of a turn");
    ConfigNode top = ConfigNode.parse(file, text, choices.settings());
    String name = CommonSettings.name(top);
    top.at("on").oneOf("idle");
    boolean quick = top.find("quick").map(ConfigNode::flag).orElse(false) || choices.quick();
    int threads = top.find("threads").map(n -> (int) n.integer(2, 1_000)).orElse(8);
    List<Load> loads = loads(top.at("loads"));
    WaitingLoad load = load(top, threads, loads, choices.quick());
    ConfigNode nothing = ConfigNode.parse(file, "none: {}").at("none");
    Squeeze squeeze = squeeze(top.find("squeeze").orElse(nothing), threads);
    List<String> names = CommonSettings.arms(top.at("arms"));
    List<String> running = CommonSettings.chosen(choices.arms(), names, file);
    List<IdleArm> arms =
        arms(top.at("arms")).stream().filter(arm -> running.contains(arm.name())).toList();
    String baseline = CommonSettings.baseline(top, names, running);
    int rounds =
        top.find("rounds").map(n -> (int) n.integer(1, 1_000)).orElse(PairedComparison.MIN_ROUNDS);
    IdleExperiment experiment =
        new IdleExperiment(
            name,
            top.find("description").map(ConfigNode::text).orElse(""),
            quick || rounds < PairedComparison.MIN_ROUNDS,
            baseline,
            squeeze,
            load,
            loads,
            top.find("cases")
                .map(n -> n.items().stream().map(i -> Case.ofLabel(i.oneOf(Case.labels()))))
                .orElseGet(() -> List.of(Case.values()).stream())
                .distinct()
                .sorted()
                .toList(),
            CommonSettings.seeds(top),
            choices.quick() && !choices.settings().containsKey("rounds") ? 1 : rounds,
            arms);
    top.noOtherKeys();
    return experiment;
  }

  private static WaitingLoad load(ConfigNode top, int threads, List<Load> loads, boolean quick) {
    ConfigNode operation = top.at("operation");
    long work = operation.at("work").durationNanos(MICRO, SECOND);
    long hold = operation.at("hold").durationNanos(0, work);
    operation.noOtherKeys();
    long window =
        top.find("window").map(n -> n.durationNanos(SECOND / 10, 600 * SECOND)).orElse(3 * SECOND);
    double most = loads.stream().mapToDouble(Load::requestsPerSecond).max().orElseThrow();
    WaitingLoad load =
        new WaitingLoad(
            threads,
            most,
            work,
            hold,
            top.find("warm-up").map(n -> n.durationNanos(0, 60 * SECOND)).orElse(SECOND / 2),
            quick ? Math.min(window, QUICK_WINDOW_NANOS) : window,
            top.find("drain").map(n -> n.durationNanos(0, 600 * SECOND)).orElse(10 * SECOND));
    if (load.operations() > WaitingLoad.MOST_OPERATIONS) {
      throw top.at("loads")
          .refuse(
              "at most "
                  + WaitingLoad.MOST_OPERATIONS
                  + " operations in warm-up and window together");
    }
    return load;
  }

  /** Always both: which of it is done is the case's affair. */
  private static Squeeze squeeze(ConfigNode node, int threads) {
    Squeeze squeeze =
        new Squeeze(
            node.find("cores").map(n -> (int) n.integer(1, 1_000)).orElse(1),
            node.find("boost").map(n -> (int) n.integer(1, threads - 1)).orElse(threads / 2),
            "",
            node.find("nice").map(n -> (int) n.integer(-20, 19)).orElse(Squeeze.STRONGEST));
    node.noOtherKeys();
    return squeeze;
  }

  private static List<Load> loads(ConfigNode node) {
    List<Load> loads = new ArrayList<>();
    for (ConfigNode item : node.items()) {
      loads.add(new Load(item.text(), Double.NaN, item.perSecond(1, 1e6)));
    }
    if (loads.isEmpty()) {
      throw node.refuse("at least one rate of operations (10k/s)");
    }
    return loads;
  }

  private static List<IdleArm> arms(ConfigNode node) {
    List<IdleArm> arms = new ArrayList<>();
    for (String name : node.names()) {
      ConfigNode arm = node.at(name);
      arms.add(new IdleArm(name, IdleSpec.read(arm.at("idle"), Host.harness(System::nanoTime))));
      arm.noOtherKeys();
    }
    return arms;
  }
}
