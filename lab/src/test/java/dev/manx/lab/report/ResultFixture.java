/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.stats.PooledResult;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** A result directory of invented numbers: lognormal latencies, some drift between rounds. */
final class ResultFixture {
  static final long SEED = 4711;
  static final List<String> CLASSES = List.of(ALL, "single", "wide");

  /** An arm and how many times the first arm's latency it has. */
  record Arm(String name, double factor, double utilisationPct) {}

  private static final int REQUESTS = 800;
  private static final int SECONDS = 8;

  final List<Arm> arms;
  final List<String> loads;
  final int rounds;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Double> failed = new HashMap<>();
  private final List<String> growing = new ArrayList<>();

  ResultFixture(List<Arm> arms, List<String> loads, int rounds) {
    this.arms = arms;
    this.loads = loads;
    this.rounds = rounds;
  }

  /** {@code stock}, an equal {@code neutral} and a {@code manx} of half the latency; 8 rounds. */
  static ResultFixture demo() {
    return new ResultFixture(
        List.of(new Arm("stock", 1, 71), new Arm("neutral", 1, 71.4), new Arm("manx", 0.5, 70.2)),
        List.of("70%"),
        8);
  }

  /** The arm's queues grow in every round. */
  ResultFixture growing(String arm) {
    growing.add(arm);
    return this;
  }

  /** A part of the arm's requests fails at once. */
  ResultFixture failing(String arm, double share) {
    failed.put(arm, share);
    return this;
  }

  List<String> armNames() {
    return arms.stream().map(Arm::name).toList();
  }

  Path write(Path directory) throws IOException {
    Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        experiment: demo
        on: cluster
        description: What Manx does to the tail of fan-out requests on three nodes.
        quick: false
        baseline: stock
        service-model: { base: 5ms, per-kib: 300us }
        note: "<b>&amp; </script><script>alert(1)</script>"
        arms:
          stock: { mode: off, description: Apache Cassandra as it is shipped }
          neutral: { mode: on, description: "Hooks on, stock decisions: what Manx itself costs" }
          manx: { mode: on }
        """);
    new Environment(
            Instant.EPOCH.toString(),
            2,
            8L << 30,
            "Linux amd64",
            "6.1.0",
            "Example CPU",
            "Example VM 17",
            "abc1234",
            Map.of("driver.page-size", "off", "driver.speculative-execution", "off"))
        .write(directory);
    double[] drift = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      drift[i] = 1 + 0.15 * random.nextDouble();
    }
    try (RowWriter<SummaryRow> summary = RowWriter.create(directory, SummaryRow.FORMAT);
        RowWriter<MetricRow> metrics = RowWriter.create(directory, MetricRow.FORMAT);
        RowWriter<TimelineRow> timeline = RowWriter.create(directory, TimelineRow.FORMAT)) {
      for (Arm arm : arms) {
        for (String requestClass : CLASSES) {
          latencies(directory, summary, arm, requestClass, drift);
        }
        metrics(metrics, arm);
        timeline(timeline, arm);
      }
    }
    return directory;
  }

  private void latencies(
      Path directory, RowWriter<SummaryRow> summary, Arm arm, String requestClass, double[] drift)
      throws IOException {
    Path file = Histograms.logFile(directory, arm.name(), requestClass);
    try (Histograms.Log log = Histograms.log(file, arm.name())) {
      for (String load : loads) {
        List<Histogram> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
          double scale = arm.factor() * drift[round - 1] * (requestClass.equals("wide") ? 3 : 1);
          Histogram nanos = round(20e6 * scale * (1 + 0.02 * random.nextDouble()));
          all.add(nanos);
          log.append(load + ";s1r" + round, round * 10, round * 10 + SECONDS, nanos);
          summary.append(row(key(arm, requestClass, load, "1", "" + round), nanos, 1));
        }
        Histogram pooled = PooledResult.merge(all);
        summary.append(row(key(arm, requestClass, load, "1", ALL), pooled, rounds));
        summary.append(row(key(arm, requestClass, load, ALL, ALL), pooled, rounds));
      }
    }
  }

  private Histogram round(double medianNanos) {
    Histogram nanos = Histograms.create();
    for (int i = 0; i < REQUESTS; i++) {
      double normal =
          Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
              * Math.cos(2 * Math.PI * random.nextDouble());
      Histograms.record(nanos, (long) (medianNanos * Math.exp(0.8 * normal)));
    }
    return nanos;
  }

  private SummaryRow row(RowKey key, Histogram nanos, int rounds) {
    return SummaryRow.of(
        key,
        nanos.getTotalCount(),
        Math.round(nanos.getTotalCount() * failed.getOrDefault(key.arm(), 0.0)),
        0,
        nanos.getTotalCount() / (SECONDS * (double) rounds),
        nanos);
  }

  private void metrics(RowWriter<MetricRow> out, Arm arm) throws IOException {
    for (String load : loads) {
      for (int round = 1; round <= rounds; round++) {
        RowKey key = key(arm, ALL, load, "1", "" + round);
        out.append(MetricRow.of(key, "utilisation_pct", arm.utilisationPct()));
        if (growing.contains(arm.name())) {
          out.append(MetricRow.of(key, "backlog_growing", 1));
        }
        out.append(MetricRow.of(key, "schedule_lag_p99_us", 80 + 5 * random.nextDouble()));
        out.append(MetricRow.of(key, "cpu_us_per_read_nodes", 410 + 9 * random.nextDouble()));
        out.append(MetricRow.of(key, "manx_select_changed", arm.factor() < 1 ? 31_000 + round : 0));
        out.append(MetricRow.of(key, "model_slept_ms_per_read", 12.5));
      }
    }
  }

  private void timeline(RowWriter<TimelineRow> out, Arm arm) throws IOException {
    for (int round = 1; round <= rounds; round++) {
      for (int second = 0; second < SECONDS; second++) {
        for (String node : List.of("127.0.0.1", "127.0.0.2")) {
          out.append(
              new TimelineRow(
                  arm.name(),
                  "1",
                  "" + round,
                  second,
                  node,
                  "utilisation_pct",
                  60 + 20 * random.nextDouble()));
        }
      }
    }
  }

  private static RowKey key(Arm arm, String requestClass, String load, String seed, String round) {
    return new RowKey("demo", arm.name(), requestClass, load, seed, round);
  }
}
