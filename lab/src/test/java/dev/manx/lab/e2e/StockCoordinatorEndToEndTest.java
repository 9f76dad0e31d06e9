/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.lab.e2e.OpenLoad.Seen;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.PooledResult;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A measurement, run by {@code MANX_MEASURE=1} ({@code MANX_ROUNDS} rounds, 8 unless given; {@code
 * MANX_MEASURE=short} to see that it works), of one and of two coordinators without the plugin in a
 * cluster of three: the latencies of their clients and of the others' while the others are off and
 * on. Open loop, the same requests in every arm of a round, arms in a balanced order, and one arm
 * twice, to show the effect of noise alone. Fails if a request does, and, unless short, if the
 * clients of a coordinator without the plugin surely have a slower P95 or P99 for it.
 */
@OwnNodes
@Isolated
@Timeout(3_600)
@EnabledIfEnvironmentVariable(named = "MANX_MEASURE", matches = "1|short")
class StockCoordinatorEndToEndTest {
  private static final int KEYS = 300;
  private static final boolean SHORT = "short".equals(System.getenv("MANX_MEASURE"));
  private static final int NODES = 3;
  private static final int PER_SECOND = 120;
  private static final int SETTLE_SECONDS = 2;
  private static final int SECONDS = 8;
  private static final int ROUNDS =
      SHORT ? 2 : Integer.parseInt(System.getenv().getOrDefault("MANX_ROUNDS", "8"));
  private static final int SEED = 1;

  private static final String WITHOUT = "without";
  private static final String BASELINE = "others off";
  private static final String ON = "others on";
  // The configuration of the nodes with the plugin, by arm.
  private static final Map<String, String> ARMS =
      Map.of(BASELINE, "mode: off", "others off again", "mode: off", ON, "mode: on");

  private static Path config;
  private static LocalCluster cluster;
  private static CassandraSession opened;
  private static NodeAdmin admin;
  private static final Set<Integer> withPlugin = new TreeSet<>(Set.of(0, 1, 2));

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
                NODES,
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
   * @param stock number of nodes without the plugin
   */
  @ParameterizedTest
  @CsvSource({"modelled, 1", "default, 1", "modelled, 2"})
  void coordinatorsWhereOnlySomeNodesHaveManx(String memtable, int stock) throws Exception {
    List<String> groups = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      boolean plugin = node < NODES - stock;
      groups.add(plugin ? "with the plugin" : WITHOUT);
      if (!plugin && withPlugin.remove(node)) {
        cluster.kill(node);
        cluster.restart(node, false);
      }
    }
    OpenLoad load = new OpenLoad(opened.driver(), filled(memtable, stock), admin.nodes(), KEYS);
    List<String> arms = ARMS.keySet().stream().sorted().toList();
    List<String> failed = new ArrayList<>();
    // By coordinators and paging, then by arm.
    Map<String, Map<String, List<Histogram>>> seen = new TreeMap<>();
    for (int round = 0; round <= ROUNDS; round++) {
      for (String arm : BalancedOrder.of(arms, SEED, Math.max(1, round))) {
        use(arm);
        load.run(PER_SECOND, SETTLE_SECONDS, groups, -1 - round);
        Map<String, Seen> some = load.run(PER_SECOND, SECONDS, groups, round);
        for (Map.Entry<String, Seen> group : some.entrySet()) {
          String when = "round " + round + ", " + arm + ", " + group.getKey() + ": ";
          group.getValue().failed().forEach(failure -> failed.add(when + failure));
          // The first round warms up.
          if (round > 0) {
            add(seen, group, arm);
          }
        }
      }
    }
    List<String> slower = new ArrayList<>();
    for (String kind : seen.keySet()) {
      for (double percentile : new double[] {50, 95, 99}) {
        for (String arm : arms) {
          String what =
              memtable + ", " + stock + " of " + NODES + " without, coordinators " + kind + arm;
          Estimate ratio =
              print(what, percentile, seen.get(kind).get(arm), seen.get(kind).get(BASELINE));
          boolean judged = !SHORT && percentile > 50 && kind.startsWith(WITHOUT) && arm.equals(ON);
          if (judged && ratio.lo() > 1) {
            slower.add("P%.0f of %s".formatted(percentile, what));
          }
        }
      }
    }
    failed.forEach(one -> System.out.println("mixed cluster, failed in " + one));
    assertThat(failed).as("failed requests").isEmpty();
    assertThat(slower).as("slower than beside nodes that are off").isEmpty();
  }

  private static void add(
      Map<String, Map<String, List<Histogram>>> seen, Map.Entry<String, Seen> group, String arm) {
    group
        .getValue()
        .micros()
        .forEach(
            (paging, micros) ->
                seen.computeIfAbsent(
                        group.getKey() + ", paging " + paging + ", ", k -> new TreeMap<>())
                    .computeIfAbsent(arm, a -> new ArrayList<>())
                    .add(micros));
  }

  private static void use(String arm) throws IOException {
    configure(ARMS.get(arm));
    for (int node : withPlugin) {
      admin.execute(
          admin.nodes().get(node), "UPDATE manx.strategy SET value = 'now' WHERE name = 'reload'");
    }
  }

  private static Estimate print(
      String what, double percentile, List<Histogram> arm, List<Histogram> baseline) {
    Map<Integer, Double> rounds = rounds(arm, percentile);
    PairedComparison compared =
        PairedComparison.of(rounds, rounds(baseline, percentile), false, Bootstrap.standard());
    System.out.printf(
        "mixed cluster, %s: P%.0f of %d requests %.2f ms, of the two worst rounds %s ms,"
            + " ratio of rounds %.3f [%.3f, %.3f] %s%n",
        what,
        percentile,
        PooledResult.merge(arm).getTotalCount(),
        PooledResult.merge(arm).getValueAtPercentile(percentile) / 1e3,
        worst(rounds),
        compared.ratio().value(),
        compared.ratio().lo(),
        compared.ratio().hi(),
        arm == baseline ? "(the baseline)" : compared.verdict());
    return compared.ratio();
  }

  /** One bad round decides the pooled P99 and hardly moves the median of the rounds. */
  private static String worst(Map<Integer, Double> rounds) {
    return rounds.entrySet().stream()
        .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
        .limit(2)
        .map(round -> "%.2f (round %d)".formatted(round.getValue() / 1e3, round.getKey() + 1))
        .collect(Collectors.joining(", "));
  }

  private static Map<Integer, Double> rounds(List<Histogram> rounds, double percentile) {
    Map<Integer, Double> values = new TreeMap<>();
    for (int i = 0; i < rounds.size(); i++) {
      values.put(i, (double) rounds.get(i).getValueAtPercentile(percentile));
    }
    return values;
  }

  private static PreparedStatement filled(String memtable, int stock) {
    CqlSession session = opened.driver();
    String table = "s.t_" + memtable + stock;
    session.execute(
        "CREATE TABLE " + table + " (k int PRIMARY KEY, v int) WITH memtable = '" + memtable + "'");
    PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    return session.prepare("SELECT k, v FROM " + table + " WHERE k IN ?");
  }
}
