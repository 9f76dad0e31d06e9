/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;

/** Claims over result folders with invented results. */
abstract class InventedClaims {
  static final Function<Path, Optional<String>> CANNOT_TELL = file -> Optional.empty();

  static final String HALF =
      "figures: { P99: { of: P99, arm: a, over: b } }, reproduced: { P99: at most 0.6 }";

  private static final double NONE = Double.NaN;

  @TempDir Path root;

  /** Arm a has b's median, and in each round the given fraction of its P99. */
  Path results(String name, double... ratios) throws IOException {
    Path folder = root.resolve(name);
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("experiment.yaml"),
        "experiment: trial\non: simulator\nquick: false\nmodel: { nodes: 3 }\nloads: [70%]\n"
            + "seeds: [1, 2, 3, 4, 5]\nrequests: 1000\narms: { a: {}, b: {} }\n");
    new Environment(
            Instant.EPOCH.toString(), 2, 1L << 30, "os", "1", "a cpu", "a vm", "abc1234", Map.of())
        .write(folder);
    try (RowWriter<SummaryRow> out = RowWriter.create(folder, SummaryRow.FORMAT);
        RowWriter<MetricRow> metrics = RowWriter.create(folder, MetricRow.FORMAT)) {
      for (int seed = 1; seed <= ratios.length; seed++) {
        double base = 10_000 * seed;
        summary(out, "a", "" + seed, "1", base * ratios[seed - 1], base / 4);
        summary(out, "b", "" + seed, "1", base, base / 4);
        metrics.append(
            MetricRow.of(
                new RowKey("trial", "a", ALL, "70%", "" + seed, "1"), "reads_per_s", 100.0 + seed));
      }
      summary(out, "a", ALL, ALL, 1, 1);
      summary(out, "b", ALL, ALL, 1, 1);
      for (String arm : List.of("a", "b")) {
        RowKey key = new RowKey("trial", arm, ALL, "70%", ALL, ALL);
        metrics.append(MetricRow.of(key, "saturated", 0));
        metrics.append(
            new MetricRow(key, "zipf=1.5", "latency_p99_us", arm.equals("a") ? 3 : 6, NONE, NONE));
        for (int cores : List.of(2, 8)) {
          String params = "cores=" + cores + ";delay=5ms";
          double p99Us = arm.equals("a") ? cores : 10;
          metrics.append(new MetricRow(key, params, "latency_p99_us", p99Us, NONE, NONE));
        }
      }
    }
    return folder;
  }

  private static void summary(
      RowWriter<SummaryRow> out, String arm, String seed, String round, double p99Us, double p50Us)
      throws IOException {
    RowKey key = new RowKey("trial", arm, ALL, "70%", seed, round);
    out.append(
        new SummaryRow(
            key, 100, 0, 0, 50, p99Us / 2, p50Us, p99Us / 3, p99Us / 2, p99Us, p99Us, p99Us, NONE,
            NONE));
  }

  Claims claims(String... claims) {
    StringBuilder text =
        new StringBuilder(
            """
            paper: X
            title: a paper
            setup: somewhere
            runs: { trial: { file: examples/trial.yaml } }
            claims:
            """);
    for (String claim : claims) {
      text.append("  - { id: X-1, setting: all, published: half, ").append(claim).append(" }\n");
    }
    return new Claims(List.of(PaperReader.read("x.yaml", text.toString())), root);
  }
}
