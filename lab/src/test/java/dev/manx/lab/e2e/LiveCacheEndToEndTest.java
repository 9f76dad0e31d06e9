/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cachelive.CacheLiveKind;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example on a real cache, in small: with its Cassandra node, and memcached as the store. With
 * {@code MANX_FULL} it runs all four arms, otherwise two.
 */
@OwnNodes
class LiveCacheEndToEndTest {
  private static final List<String> ARMS =
      "1".equals(System.getenv("MANX_FULL"))
          ? List.of("shared", "static", "robinhood", "guarded")
          : List.of("static", "guarded");

  @TempDir private Path folder;

  @Test
  void theExampleRunsWithEveryBackendAndARemoteStore() throws Exception {
    ManxHome home = ManxHome.find();
    Map<String, String> small =
        Map.ofEntries(
            Map.entry("cache.store", "memcached"),
            Map.entry("rounds", "1"),
            Map.entry("settle", "500ms"),
            Map.entry("window", "2s"),
            Map.entry("rate", "60/s"),
            Map.entry("request-time-out", "10s"),
            Map.entry("squeeze.from", "500ms"),
            Map.entry("squeeze.for", "1s"),
            Map.entry("squeeze.cores", "0.5"),
            Map.entry("arms.robinhood.cache.page", "1MiB"),
            Map.entry("arms.robinhood.cache.interval", "200ms"),
            Map.entry("arms.guarded.cache.page", "1MiB"),
            Map.entry("arms.guarded.cache.interval", "200ms"),
            Map.entry("arms.static.cache.page", "1MiB"),
            // Before the first window begins.
            Map.entry("arms.static.cache.interval", "200ms"),
            Map.entry("backends.profiles.keys", "300"),
            Map.entry("backends.orders.keys", "300"),
            Map.entry("backends.pictures.keys", "300"));
    ExperimentSource source =
        ExperimentSource.of(
            home.root().resolve("examples/cache-live.yaml"), new Choices(small, ARMS, false));
    new ExperimentRun<>(
            CacheLiveKind.read(source, home, folder.resolve("work")), "", new SilentProgress())
        .run(folder.resolve("out"));
    List<SummaryRow> rows = RowReader.read(folder.resolve("out"), SummaryRow.FORMAT);
    assertThat(rows).hasSize(ARMS.size() * 3).allMatch(row -> row.count() > 50 && row.wrong() == 0);
    assertThat(rows).allMatch(row -> row.errors() == 0);
    assertThat(RowReader.read(folder.resolve("out"), MetricRow.FORMAT))
        .as("latencies of the queries that memcached answered")
        .filteredOn(row -> row.metric().equals("hit_p99_us") && row.value() > 0)
        .extracting(row -> row.key().arm())
        .containsAll(ARMS);
    Map<String, String> settings = Environment.read(folder.resolve("out")).settings();
    assertThat(settings.get("backend profiles")).contains("Cassandra 5.0");
    assertThat(settings.get("store")).isEqualTo("memcached");
  }
}
