/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.advise.Advisor;
import dev.manx.lab.advise.Advisor.Advised;
import dev.manx.lab.advise.NodeFile;
import dev.manx.lab.experiment.ArmStrategy;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.load.connect.FileReasons;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import dev.manx.policy.strategy.StrategyFile;
import dev.manx.simulator.recorded.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code manx advise}: recommends a strategy for a recorded cluster. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    description = {
      "Recommends a strategy for a cluster from the decision logs of its nodes.",
      "It fits a model to the logs, compares simulated with measured stock, plays the recorded requests with other strategies, and writes a report with their expected gains.",
      "It gives no advice if simulated stock is more than 20 %% from measured stock, or if 1 %% or more of the reads have replicas in several datacenters (ONE or QUORUM rather than LOCAL_ONE or LOCAL_QUORUM)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:advice was given: a strategy, or to keep stock",
      "1:no advice, because the model does not fit or there are too few runs; or a failure",
      "2:the command line or a log was rejected"
    },
    footer = {
      "",
      "Examples:",
      "  ./manx advise --on production --dc dc1 --record 5min  record, fetch, advise",
      "  ./manx advise --on production --dc dc1                fetch the recorded logs",
      "  ./manx advise node1.log node2.log node3.log           logs on this machine",
      "",
      "Nodes record in mode shadow. Record a busy hour.",
      "docs/operate/advise.md explains the method and its limits."
    })
final class AdviseCommand implements Callable<Integer> {
  private static final List<String> PRESETS = List.of("low-fifo", "rein", "c3", "manx");
  private static final double MOST_LOAD = 10;
  private static final int MOST_SEEDS = 1_000;
  private static final long MOST_REQUESTS = 10_000_000_000L;

  @Parameters(
      paramLabel = "LOG",
      arity = "0..*",
      description = "Decision logs, one of each node, recorded at the same time; or --on.")
  private List<Path> logs = List.of();

  @Mixin private ClusterLogs cluster;

  @Option(
      names = "--strategies",
      split = ",",
      paramLabel = "S",
      description =
          "Presets or YAML files to compare (default: low-fifo,rein,c3,manx). A file may be a node's"
              + " manx.yaml; only its strategy is used.")
  private List<String> strategies = PRESETS;

  @Option(
      names = "--loads",
      split = ",",
      paramLabel = "X",
      description =
          "Shares of the recorded load, such as 150%% or 1.5 (default: 100%%,125%%,150%%); 100%% is"
              + " always played.")
  private List<String> loads = List.of("125%", "150%");

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Runs of each strategy and load (default: ${DEFAULT-VALUE}); 8 for a verdict.")
  private int seeds = 8;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Requests of each run (default: ${DEFAULT-VALUE}).")
  private long requests = 40_000;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder for experiment and results, new or empty (default: manx-out/advice-<time>).")
  private Path out;

  @Spec private CommandSpec spec;

  private final Terminal terminal = new Terminal();

  @Override
  public Integer call() throws Exception {
    // All checks come before nodes are asked to record for an hour.
    checkOptions();
    List<Double> factors = factors();
    Map<String, String> arms = arms();
    within("--seeds", seeds, MOST_SEEDS);
    within("--requests", requests, MOST_REQUESTS);
    RunOptions results = RunOptions.to(out);
    results.makeFolder();
    List<Path> files = cluster.isNamed() ? cluster.fetch(terminal) : logs;
    Recording recording = Advisor.read(files);
    Optional<String> unfit = Advisor.unfit(recording);
    if (unfit.isPresent()) {
      results.dropFolder();
      terminal.line("No advice: " + unfit.get() + ".");
      return ExitCode.SOFTWARE;
    }
    Advisor advisor =
        Advisor.of(
            files,
            recording,
            done -> terminal.now(String.format(Locale.ROOT, "fitting: %.0f %%", 100 * done)));
    advisor.words().forEach(terminal::line);
    Map<String, Strategy> strategies = new LinkedHashMap<>();
    arms.forEach((name, strategy) -> strategies.put(name, parsed(strategy)));
    advisor.notes(strategies).forEach(terminal::line);
    Path file = Files.createTempFile("manx-advice", ".yaml");
    try {
      Files.writeString(file, advisor.experiment(factors, arms, seeds, requests));
      Path folder = results.playTo(file, terminal);
      terminal.line("");
      terminal.line(advisor.table(folder, factors));
      terminal.line("");
      List<String> takeable = new ArrayList<>(arms.keySet());
      Advised advised = advisor.advice(folder, takeable, terminal::line);
      if (advised.strategy().isPresent()) {
        String arm = advised.strategy().get();
        String strategy = arms.get(arm);
        Path config = folder.resolve("manx.yaml");
        Files.writeString(config, NodeFile.of(arm, parsed(strategy)));
        terminal.line(
            "Try it on part of the requests first: ./manx ctl strategy "
                + strategy
                + " "
                + cluster.target()
                + ", as docs/operate/operate.md says.");
        terminal.line("for nodes: " + config.toAbsolutePath());
        terminal.line("  " + NodeFile.USE);
      }
      terminal.line("report: " + folder.resolve("report.html").toAbsolutePath());
      return advised.given() ? ExitCode.OK : ExitCode.SOFTWARE;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private void checkOptions() {
    if (cluster.isNamed() == !logs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "give --on CLUSTER or the logs of all nodes" + (logs.isEmpty() ? "" : ", not both"));
    }
    if (cluster.isNamed()) {
      cluster.refuseWithoutRecording(spec.commandLine());
    } else {
      cluster.refuseWithoutCluster(spec.commandLine());
    }
  }

  private static void within(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new ConfigException(
          "advise", 0, option, Long.toString(value), "a whole number from 1 to " + most);
    }
  }

  /** Only strategies that a node can run may be recommended. */
  private static Strategy parsed(String strategy) {
    return Strategy.of(file(strategy).strategy(), Host.node(() -> 0));
  }

  /** A preset as if a file contained it. */
  private static StrategyFile file(String strategy) {
    try {
      return Presets.find(strategy).isPresent()
          ? StrategyFile.of("advise", "strategy: " + strategy)
          : ArmStrategy.ofFile(Path.of(strategy));
    } catch (IOException e) {
      throw ConfigException.unreadable(strategy, FileReasons.why(e));
    }
  }

  private List<Double> factors() {
    List<Double> factors = new ArrayList<>(List.of(1.0));
    for (String load : loads) {
      double factor = Units.fraction(load).orElse(Double.NaN);
      if (!(factor > 0 && factor <= MOST_LOAD)) {
        throw new ConfigException(
            "advise",
            0,
            "--loads",
            load,
            "a share of the recorded load above 0 and up to 1000% (150% or 1.5)");
      }
      if (!factors.contains(factor)) {
        factors.add(factor);
      }
    }
    return factors;
  }

  /** The strategies by arm name; that of a file is its name without the extension. */
  private Map<String, String> arms() {
    Map<String, String> arms = new LinkedHashMap<>();
    for (String strategy : strategies) {
      Path file = Path.of(strategy);
      boolean isFile = Presets.find(strategy).isEmpty();
      if (isFile && !Files.isRegularFile(file)) {
        throw new ConfigException(
            "advise", 0, "--strategies", strategy, "a YAML file, or a preset: " + Presets.names());
      }
      String name = isFile ? file.getFileName().toString().replaceFirst("\\.ya?ml$", "") : strategy;
      if (List.of("stock", "unpaged").contains(name) || arms.containsKey(name)) {
        throw new ConfigException(
            "advise",
            0,
            "--strategies",
            strategy,
            "different names; stock and unpaged are played in any case");
      }
      CommonSettings.arm(name)
          .ifPresent(
              form -> {
                throw new ConfigException(
                    "advise", 0, "--strategies", strategy, "a file whose name has " + form);
              });
      parsed(strategy);
      file(strategy).ignored().ifPresent(terminal::line);
      arms.put(name, isFile ? file.toAbsolutePath().toString() : strategy);
    }
    return arms;
  }
}
