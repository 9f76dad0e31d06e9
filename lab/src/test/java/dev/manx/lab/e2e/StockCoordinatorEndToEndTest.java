/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.LocalCluster;
import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.e2e.OpenLoad.Seen;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.PooledResult;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.NodeAdmin;
import dev.manx.load.Paging;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A measurement, run by {@code MANX_MEASURE=1} ({@code MANX_ROUNDS} rounds, 8 unless given), of one
 * coordinator without the plugin in a cluster of three: what its clients see while the other two
 * are off and on. Open loop, the same requests in every arm of a round, arms in a balanced order,
 * and one arm twice, to show what the noise alone makes of it. Prints; judges only that nothing
 * failed.
 */
@Tag("e2e")
@Order(8)
@Timeout(1_200)
@EnabledIfEnvironmentVariable(named = "MANX_MEASURE", matches = "1")
class StockCoordinatorEndToEndTest {
  private static final int KEYS = 300;
  private static final int STOCK = 2;
  private static final int PER_SECOND = 120;
  private static final int SETTLE_SECONDS = 2;
  private static final int SECONDS = 8;
  private static final int ROUNDS =
      Integer.parseInt(System.getenv().getOrDefault("MANX_ROUNDS", "8"));
  private static final int SEED = 1;

  private static final String BASELINE = "others off";
  // What the nodes with the plugin are configured to, by arm.
  private static final Map<String, String> ARMS =
      Map.of(BASELINE, "mode: off", "others off again", "mode: off", "others on", "mode: on");

  private static Path config;
  private static LocalCluster cluster;
  private static CassandraSession opened;
  private static NodeAdmin admin;

  @BeforeAll
  static void boot() throws Exception {
    Path work = ManxHome.find().root().resolve(".manx/stock-coordinator");
    Files.createDirectories(work);
    config = work.resolve("manx.yaml");
    configure(ARMS.get(BASELINE));
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                3,
                1,
                2,
                like.heapBytes(),
                like.tokens(),
                like.readTimeoutNanos(),
                like.jit(),
                like.dataBytes(),
                new ClusterSettings.ServiceModel(4_000_000, 0),
                true,
                Map.of(),
                List.of("-Dmanx.config=" + config)),
            ManxHome.find(),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
    cluster.kill(STOCK);
    cluster.restart(STOCK, false);
    opened =
        CassandraSession.open(
            CassandraSettings.of(List.of(new InetSocketAddress("127.0.0.1", 9042))));
    admin = new NodeAdmin(opened);
    opened
        .driver()
        .execute(
            "CREATE KEYSPACE s WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
  }

  private static void configure(String plugin) throws IOException {
    Files.writeString(config, "plugin: { " + plugin + " }\nstrategy: manx\n");
  }

  @AfterAll
  static void stop() {
    if (opened != null) {
      opened.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /**
   * Compares arms.
   *
   * @param memtable {@code modelled}: reads wait for threads, at half of what the nodes serve;
   *     {@code default}: nothing waits
   */
  @ParameterizedTest
  @ValueSource(strings = {"modelled", "default"})
  void whatAStockCoordinatorSeesBesideNodesWithManx(String memtable) throws Exception {
    OpenLoad load = new OpenLoad(opened.driver(), filled(memtable), admin.nodes(), KEYS);
    List<String> arms = ARMS.keySet().stream().sorted().toList();
    Map<String, Map<Paging, List<Histogram>>> seen = new TreeMap<>();
    List<String> failed = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      for (String arm : BalancedOrder.of(arms, SEED, Math.max(1, round))) {
        configure(ARMS.get(arm));
        for (int node = 0; node < STOCK; node++) {
          admin.execute(
              admin.nodes().get(node),
              "UPDATE manx.strategy SET value = 'now' WHERE name = 'reload'");
        }
        load.run(PER_SECOND, SETTLE_SECONDS, STOCK, -1 - round);
        Seen some = load.run(PER_SECOND, SECONDS, STOCK, round);
        String when = "round " + round + ", " + arm + ": ";
        some.failed().forEach(failure -> failed.add(when + failure));
        // The first round warms up.
        if (round > 0) {
          some.micros()
              .forEach(
                  (paging, micros) ->
                      seen.computeIfAbsent(arm, n -> new TreeMap<>())
                          .computeIfAbsent(paging, p -> new ArrayList<>())
                          .add(micros));
        }
      }
    }
    for (Paging paging : Paging.values()) {
      for (double percentile : new double[] {50, 95, 99}) {
        for (String arm : arms) {
          print(
              memtable + ", paging " + paging + ", " + arm,
              percentile,
              seen.get(arm).get(paging),
              seen.get(BASELINE).get(paging));
        }
      }
    }
    failed.forEach(one -> System.out.println("stock coordinator, failed in " + one));
    assertThat(failed).as("failed requests").isEmpty();
  }

  private static void print(
      String what, double percentile, List<Histogram> arm, List<Histogram> baseline) {
    PairedComparison compared =
        PairedComparison.of(
            rounds(arm, percentile), rounds(baseline, percentile), false, Bootstrap.standard());
    System.out.printf(
        "stock coordinator, %s: P%.0f of %d requests %.2f ms, ratio of rounds %.3f [%.3f, %.3f] %s%n",
        what,
        percentile,
        PooledResult.merge(arm).getTotalCount(),
        PooledResult.merge(arm).getValueAtPercentile(percentile) / 1e3,
        compared.ratio().value(),
        compared.ratio().lo(),
        compared.ratio().hi(),
        arm == baseline ? "(the baseline)" : compared.verdict());
  }

  private static Map<Integer, Double> rounds(List<Histogram> rounds, double percentile) {
    Map<Integer, Double> values = new TreeMap<>();
    for (int i = 0; i < rounds.size(); i++) {
      values.put(i, (double) rounds.get(i).getValueAtPercentile(percentile));
    }
    return values;
  }

  private static PreparedStatement filled(String memtable) {
    CqlSession session = opened.driver();
    String table = "s.t_" + memtable;
    session.execute(
        "CREATE TABLE " + table + " (k int PRIMARY KEY, v int) WITH memtable = '" + memtable + "'");
    PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
    for (int k = 0; k < KEYS; k++) {
      session.execute(
          insert.bind(k, CheckedLoad.value(k)).setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    return session.prepare("SELECT k, v FROM " + table + " WHERE k IN ?");
  }
}
