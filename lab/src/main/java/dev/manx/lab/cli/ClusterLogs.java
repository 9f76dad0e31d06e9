/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.connect.ClusterOptions;
import dev.manx.operate.connect.NodeChoice;
import dev.manx.operate.connect.TypedShare;
import dev.manx.operate.log.LogFetcher;
import dev.manx.operate.log.LogFetcher.Fetched;
import dev.manx.operate.log.ShadowRecording;
import dev.manx.operate.text.Words;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Decision logs of a running cluster; a picocli mixin. */
final class ClusterLogs {
  private static final long LEAST_SECONDS = 5;
  private static final long MOST_SECONDS = 3_600;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Option(
      names = "--record",
      paramLabel = "TIME",
      description = {
        "With --on: have the nodes record now, for 5s to 1h, in mode shadow.",
        "Without it, existing logs are fetched."
      })
  private String time;

  @Option(
      names = "--sample",
      paramLabel = "SHARE",
      description = "Of the requests to record (default: all).")
  private String sample;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "Where fetched logs are kept (default: manx-out/logs-<time>).")
  private Path folder;

  @Mixin private ClusterOptions cluster;
  @Mixin private NodeChoice choice;

  /** Whether a cluster is given. */
  boolean isNamed() {
    return cluster.name() != null;
  }

  /** The options of another command for the cluster, or the datacenter of it, that was recorded. */
  String target() {
    return "--on " + (isNamed() ? cluster.name() : "CLUSTER") + choice.ofDatacenter();
  }

  /** Refuses options that need a cluster. */
  void refuseWithoutCluster(CommandLine command) {
    cluster.refuseWithoutCluster(command);
    choice.refuseWithoutCluster(command);
    ClusterOptions.refuse(command, "--record", time != null);
    ClusterOptions.refuse(command, "--sample", sample != null);
    ClusterOptions.refuse(command, "--logs", folder != null);
  }

  /** Refuses options that need a recording. */
  void refuseWithoutRecording(CommandLine command) {
    if (sample != null && time == null) {
      throw new ParameterException(command, "--sample needs --record");
    }
  }

  private static ConfigException refused(String option, String value, String allowed) {
    return new ConfigException("advise", 0, option, value, allowed);
  }

  /**
   * The logs of the chosen nodes, fetched to this machine.
   *
   * @throws dev.manx.load.connect.ConnectException if a node cannot record, or stops recording, or
   *     its log cannot be fetched
   */
  List<Path> fetch(Terminal terminal) throws InterruptedException, IOException {
    long nanos =
        time == null ? 0 : ClusterOptions.duration("--record", time, LEAST_SECONDS, MOST_SECONDS);
    String value = "requests " + (sample == null ? "100%" : sample);
    if (sample != null && !isShare(sample)) {
      throw refused("--sample", sample, "a share above 0% and up to 100%, such as 10%");
    }
    // A folder that cannot be written to is found before the nodes record for an hour.
    LogFetcher.create(folder == null ? NewFolder.PARENT : folder);
    try (Cluster opened = cluster.connect()) {
      List<Member> nodes = choice.of(opened.members());
      List<String> datacenters = nodes.stream().map(Member::datacenter).distinct().toList();
      if (datacenters.size() > 1) {
        throw refused(
            "--dc",
            null,
            "one of " + String.join(", ", datacenters) + ": the model is of one datacenter");
      }
      Map<Member, Instant> begun =
          nanos > 0 ? record(opened, nodes, value, nanos, terminal) : Map.of();
      Path kept = folder == null ? NewFolder.of("logs") : folder;
      List<Fetched> logs = new LogFetcher(opened, kept).fetch(nodes, begun);
      logs.forEach(
          log ->
              terminal.line(
                  "fetched: "
                      + log.file()
                      + ", "
                      + Units.bytes(log.bytes())
                      + (log.whole() ? "" : "; truncated")));
      return logs.stream().map(Fetched::file).toList();
    }
  }

  private static boolean isShare(String text) {
    double share = TypedShare.of("--sample", text).orElse(-1);
    return share > 0 && share <= 1;
  }

  /**
   * Records, and ends early if every log is full; returns when the recording began, by the clock of
   * each node.
   */
  private static Map<Member, Instant> record(
      Cluster opened, List<Member> nodes, String value, long nanos, Terminal terminal)
      throws InterruptedException {
    long end = System.nanoTime() + nanos;
    try (ShadowRecording recording = ShadowRecording.begin(opened, nodes, value)) {
      terminal.line(
          "recording on "
              + Words.nodes(nodes.size())
              + " for "
              + Units.duration(nanos)
              + " at most");
      long left = nanos;
      while (left > 0 && recording.full().size() < nodes.size()) {
        terminal.now("recording: " + TimeUnit.NANOSECONDS.toSeconds(left) + " s to go");
        TimeUnit.NANOSECONDS.sleep(Math.min(LOOK_NANOS, left));
        left = end - System.nanoTime();
      }
      recording.full();
      return recording.begun();
    }
  }
}
