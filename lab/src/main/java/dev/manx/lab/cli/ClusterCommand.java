/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.kind.cluster.ClusterReader;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.Node;
import dev.manx.operate.text.Words;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx cluster}: nodes for trying Manx without an experiment. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = {
      "Starts, shows and stops a local cluster of stock Cassandra nodes.",
      "The nodes listen on 127.0.0.1, 127.0.0.2 and up, and load the Manx plugin in mode off. Switch it on over CQL:",
      "  UPDATE manx.strategy SET value = 'on' WHERE name = 'mode';"
    },
    subcommands = {ClusterCommand.Up.class, ClusterCommand.Status.class, ClusterCommand.Down.class})
final class ClusterCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "the command is missing: up, status or down");
  }

  /** The folder of the nodes' files. */
  static final class Folder {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "Folder of the nodes' files (default: .manx/cluster of the checkout).")
    private Path dir;

    Path path() {
      return (dir == null ? ManxHome.find().clusterFolder() : dir).toAbsolutePath().normalize();
    }
  }

  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description = "Starts the nodes and returns; they run until `manx cluster down`.")
  static final class Up implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Folder folder;

    @Option(names = "--nodes", paramLabel = "N", description = "1 to 9 (default: 3).")
    private String nodes;

    @Option(
        names = "--concurrent-reads",
        paramLabel = "N",
        description = "Threads of each READ stage, 1 to 1024 (default: 32, as shipped).")
    private String concurrentReads;

    @Option(
        names = "--heap",
        paramLabel = "SIZE",
        description = "Heap of each node, 256MiB to 64GiB (default: 512MiB).")
    private String heap;

    @Option(names = "--no-plugin", description = "Stock nodes without Manx.")
    private boolean noPlugin;

    @Override
    public Integer call() {
      int number = Math.toIntExact(value("--nodes", nodes, ClusterReader.NODES));
      long reads = value("--concurrent-reads", concurrentReads, ClusterReader.CONCURRENT_READS);
      long heapBytes = value("--heap", heap, ClusterReader.HEAP);
      Terminal terminal = new Terminal();
      ClusterSettings like = ClusterSettings.defaults();
      ClusterSettings settings =
          new ClusterSettings(
              number,
              like.firstHost(),
              Math.toIntExact(reads),
              heapBytes,
              like.tokens(),
              like.readTimeoutNanos(),
              like.jit(),
              like.dataBytes(),
              null,
              !noPlugin,
              Map.of(),
              List.of());
      LocalCluster.up(settings, ManxHome.find(), folder.path(), terminal.steps());
      terminal.line(served(number) + ", port 9042. To stop: ./manx cluster down");
      return 0;
    }

    private static long value(String option, String text, Setting setting) {
      Object value =
          text == null
              ? setting.standard()
              : setting.read(ConfigNode.option("cluster up", option, text));
      return (Long) value;
    }
  }

  /** {@code 3 nodes serve CQL on 127.0.0.1 to 127.0.0.3}. */
  static String served(int nodes) {
    return nodes == 1
        ? "1 node serves CQL on 127.0.0.1"
        : nodes + " nodes serve CQL on 127.0.0.1 to 127.0.0." + nodes;
  }

  /** {@code 3 nodes stopped}. */
  static String stopped(int nodes) {
    return nodes == 0 ? "no node was running" : Words.nodes(nodes) + " stopped";
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows each node; exit code 1 if one does not serve.")
  static final class Status implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Folder folder;

    @Override
    public Integer call() {
      Terminal terminal = new Terminal();
      List<LocalCluster.NodeStatus> nodes = LocalCluster.status(folder.path());
      if (nodes.isEmpty()) {
        terminal.line("no cluster in " + folder.path() + "; start one with ./manx cluster up");
        return 1;
      }
      boolean all = true;
      for (LocalCluster.NodeStatus status : nodes) {
        boolean serves = !status.stopped() && status.serves();
        all &= serves;
        Node node = status.node();
        terminal.line(
            String.format(
                "%s  %-10s %-8s %s",
                node.name(),
                node.address(),
                status.stopped() ? "stopped" : serves ? "serves" : "starting",
                status.stopped()
                    ? "log: " + node.systemLog()
                    : "pid " + status.pid() + ", JMX 127.0.0.1:" + node.jmxPort()));
      }
      return all ? 0 : 1;
    }
  }

  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description = "Stops the nodes; only processes that `cluster up` started.")
  static final class Down implements Callable<Integer> {
    @picocli.CommandLine.Mixin private Folder folder;

    @Override
    public Integer call() {
      new Terminal().line(stopped(LocalCluster.down(folder.path())));
      return 0;
    }
  }
}
