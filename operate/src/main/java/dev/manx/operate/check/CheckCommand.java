/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.load.connect.Cluster;
import dev.manx.operate.check.Finding.Level;
import dev.manx.operate.connect.ClusterOptions;
import dev.manx.operate.connect.NodeChoice;
import dev.manx.operate.text.Json;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Checks a cluster or a folder, and prints a remedy for each problem.",
      "  --on CLUSTER  a running cluster: versions, Java, Manx's mode, strategy,",
      "                hooks, breaker, faults, differences between nodes, and this",
      "                user's permissions",
      "  --home DIR    a Cassandra folder before its node is restarted: the jar, the",
      "                JVM option, manx.yaml (read by the jar's own parser) and Java",
      "Changes nothing."
    },
    footer = {
      "",
      "Exit codes: 0 no error (with --strict: and no warning), 1 at least one, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx check --on production",
      "  ./manx check --home /opt/apache-cassandra-5.0.9",
      "  ./manx check --home /usr/share/cassandra --conf /etc/cassandra",
      "On a node without this command the jar itself checks its file:",
      "  java -jar lib/manx-cassandra-0.1.0.jar conf/manx.yaml"
    })
public final class CheckCommand implements Callable<Integer> {
  @Option(names = "--home", paramLabel = "DIR", description = "A Cassandra folder.")
  private Path home;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "Its configuration (default: the first of DIR/conf, /etc/cassandra and"
              + " /etc/cassandra/conf that has a cassandra.yaml).")
  private Path conf;

  @Option(
      names = "--java",
      paramLabel = "DIR",
      description = "The Java that starts the node (default: JAVA_HOME, else the one on the path).")
  private Path java;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The node's manx.yaml, if neither the files in --conf nor this shell's JVM_EXTRA_OPTS set"
              + " -Dmanx.config.")
  private Path config;

  @Option(names = "--strict", description = "Warnings count as errors.")
  private boolean strict;

  @Option(names = "--json", description = "Findings as JSON.")
  private boolean json;

  @Mixin private ClusterOptions cluster;
  @Mixin private NodeChoice choice;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if ((home == null) == (cluster.name() == null)) {
      throw misused("give either --on CLUSTER or --home DIR" + (home == null ? "" : ", not both"));
    }
    if (home == null) {
      onlyWithHome("--conf", conf);
      onlyWithHome("--java", java);
      onlyWithHome("--config", config);
    } else {
      cluster.refuseWithoutCluster(spec.commandLine());
      choice.refuseWithoutCluster(spec.commandLine());
    }
    Findings found =
        home == null ? running() : HomeChecks.of(CassandraHome.at(home, conf, java, config));
    spec.commandLine().getOut().println(json ? Json.indented(found.rows()) : found.text());
    spec.commandLine().getOut().flush();
    return found.count(Level.ERROR) > 0 || strict && found.count(Level.WARNING) > 0 ? 1 : 0;
  }

  private void onlyWithHome(String option, Path given) {
    if (given != null) {
      throw misused(option + " needs --home");
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Findings running() {
    try (Cluster opened = cluster.connect()) {
      return ClusterChecks.of(opened.ask(choice.of(opened.members()), AskedNode::ask));
    }
  }
}
