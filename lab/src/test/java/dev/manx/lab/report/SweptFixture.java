/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A result directory of many arms, loads, points of a sweep and backends: latency is the arm's
 * number in milliseconds, times the positions of load and point.
 */
final class SweptFixture {
  static final List<String> LOADS = List.of("30%", "50%", "70%");
  static final List<String> DELAYS = List.of("1ms", "10us");
  static final int BACKENDS = 5;

  private static final int MANY = 7;
  private static final int SECONDS = 30;
  private static final double NONE = Double.NaN;

  private SweptFixture() {}

  /** Arms {@code arm-1} to {@code arm-n}; the first is the baseline. */
  static List<String> arms(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "arm-" + i).toList();
  }

  static Path write(Path directory, int count) throws IOException {
    Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        experiment: swept
        on: simulator
        baseline: arm-1
        model: { network: { one-way: 100us } }
        sweep: { model.network.one-way: [1ms, 10us] }
        arms: {}
        """);
    try (RowWriter<SummaryRow> summary = RowWriter.create(directory, SummaryRow.FORMAT);
        RowWriter<MetricRow> metrics = RowWriter.create(directory, MetricRow.FORMAT);
        RowWriter<TimelineRow> timeline = RowWriter.create(directory, TimelineRow.FORMAT)) {
      for (int arm = 1; arm <= count; arm++) {
        for (int load = 0; load < LOADS.size(); load++) {
          RowKey key = new RowKey("swept", "arm-" + arm, ALL, LOADS.get(load), ALL, ALL);
          double us = 1_000.0 * arm * (load + 1);
          for (int seed = 1; seed <= 2; seed++) {
            summary.append(
                row(key.withSeed("" + seed).withRound("1"), us + (seed == 1 ? -us : us) / 8));
          }
          summary.append(row(key, us));
          metrics.append(MetricRow.of(key, "utilisation_pct", 30.0 + 20 * load));
          metrics.append(MetricRow.of(key, "messages_per_read", 2.0));
          points(metrics, key, us);
          metrics.append(goal(key, "goal=p50;slo_ms=150"));
          metrics.append(goal(key, "goal=p99;slo_ms=150"));
          for (int backend = 1; backend <= MANY; backend++) {
            String params = "backend=b" + backend;
            metrics.append(new MetricRow(key, params, "hit_ratio_pct", 50 + backend, NONE, NONE));
          }
          timeline(timeline, key);
        }
      }
      marks(metrics);
    }
    return directory;
  }

  /** A result of a sweep over named points alone, like the gallery's. */
  static Path named(Path directory, int arms, List<String> names) throws IOException {
    Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        experiment: named
        on: simulator
        baseline: arm-1
        sweep: [%s]
        arms: {}
        """
            .formatted(
                names.stream()
                    .map(name -> "{ name: " + name + ", x: 1 }")
                    .collect(Collectors.joining(", "))));
    try (RowWriter<SummaryRow> summary = RowWriter.create(directory, SummaryRow.FORMAT);
        RowWriter<MetricRow> metrics = RowWriter.create(directory, MetricRow.FORMAT)) {
      for (String arm : arms(arms)) {
        RowKey key = new RowKey("named", arm, ALL, "70%", ALL, ALL);
        summary.append(row(key, 1_000));
        for (String name : names) {
          for (String latency : List.of("latency_p50_us", "latency_p99_us")) {
            metrics.append(new MetricRow(key, "point=" + name, latency, 2_000, NONE, NONE));
          }
        }
      }
    }
    return directory;
  }

  private static MetricRow goal(RowKey key, String params) {
    return new MetricRow(key, params, "slo_violation_pct", 3, NONE, NONE);
  }

  private static void points(RowWriter<MetricRow> out, RowKey key, double us) throws IOException {
    for (int i = 0; i < DELAYS.size(); i++) {
      String params = "model.network.one-way=" + DELAYS.get(i);
      double value = us * (i + 2);
      out.append(new MetricRow(key, params, "latency_p50_us", value / 2, NONE, NONE));
      out.append(new MetricRow(key, params, "latency_p99_us", value, value * 0.9, value * 1.1));
      out.append(new MetricRow(key, params, "utilisation_pct", i == 0 ? 50 : 90, NONE, NONE));
      out.append(new MetricRow(key, params, "messages_per_read", 2 + i, NONE, NONE));
    }
  }

  private static void marks(RowWriter<MetricRow> out) throws IOException {
    RowKey all = new RowKey("swept", ALL, ALL, ALL, ALL, ALL);
    for (String params :
        List.of(
            "from=10;to=20;label=squeezed <b>",
            "from=25;label=released",
            "level=4;metric=share_pct;label=goal",
            "from=ten;label=unreadable")) {
      out.append(new MetricRow(all, params, "mark", 1, NONE, NONE));
    }
  }

  private static void timeline(RowWriter<TimelineRow> out, RowKey key) throws IOException {
    for (int second = 0; second < SECONDS; second++) {
      for (int backend = 1; backend <= BACKENDS; backend++) {
        String entity = "backend " + backend + "@" + key.load();
        out.append(new TimelineRow(key.arm(), "1", "1", second, entity, "share_pct", backend * 2));
      }
    }
  }

  static SummaryRow row(RowKey key, double us) {
    return new SummaryRow(
        key, 1_000, 0, 0, 100, us, us / 2, us, us, us, us * 2, us * 3, NONE, NONE);
  }
}
