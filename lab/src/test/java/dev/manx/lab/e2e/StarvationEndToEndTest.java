/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.lab.e2e.MixedLoad.Kind;
import dev.manx.lab.e2e.MixedLoad.Seen;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.strategy.Presets;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A measurement, run by {@code MANX_MEASURE=1} ({@code MANX_MEASURE=short} to see that it works),
 * of whether an order starves anything: multigets, range scans, index reads, and reads of a
 * coordinator without Manx, at 90 and 110 percent of what nodes with a model of slow storage serve.
 * Preset {@code manx} against itself in arrival order. Open loop, the same requests in every arm of
 * a round, arms in a balanced order, and arrival order twice, to show the effect of noise alone.
 * Fails if a request does otherwise than by a time-out, and, unless short, if one of these kinds
 * surely waits more than 1.1 times as long as in arrival order.
 */
@OwnNodes
@Isolated
@Timeout(3_600)
@EnabledIfEnvironmentVariable(named = "MANX_MEASURE", matches = "1|short")
class StarvationEndToEndTest {
  private static final boolean SHORT = "short".equals(System.getenv("MANX_MEASURE"));
  private static final int ROUNDS = SHORT ? 2 : 10;
  private static final double SECONDS = SHORT ? 4 : 15;
  private static final double SETTLE_SECONDS = 2;
  private static final int KEYS = 300;
  private static final int OFF_NODE = 2;
  // Enough for a queue at each node, few enough that no request waits for its time-out.
  private static final int CLIENTS = 48;
  private static final int SEED = 1;
  private static final long SERVICE_NANOS = 10_000_000;
  private static final long TIMEOUT_NANOS = 1_000_000_000;

  private static final String MANX = Presets.find("manx").orElseThrow().document();
  private static final String ARRIVAL = MANX.replace("order: order.boost", "order: order.fifo");
  private static final String BASELINE = "arrival order";
  private static final double MOST_OF_ARRIVAL = 1.1;
  private static final String PRESET = "preset manx";
  private static final Map<String, String> ARMS =
      new TreeMap<>(Map.of(BASELINE, ARRIVAL, "arrival order again", ARRIVAL, PRESET, MANX));

  private static LocalCluster cluster;
  private static CassandraSession opened;
  private static NodeAdmin admin;
  private static MixedLoad load;

  @BeforeAll
  static void boot() {
    assertThat(ARRIVAL).isNotEqualTo(MANX);
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                3,
                1,
                2,
                like.heapBytes(),
                like.tokens(),
                TIMEOUT_NANOS,
                like.jit(),
                like.dataBytes(),
                new ClusterSettings.ServiceModel(SERVICE_NANOS, 0),
                true,
                Map.of("range_request_timeout", "1s", "dynamic_snitch", "false"),
                List.of()),
            ManxHome.find(),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
    opened =
        CassandraSession.open(
            CassandraSettings.of(List.of(new InetSocketAddress("127.0.0.1", 9042))));
    admin = new NodeAdmin(opened);
    CqlSession session = opened.driver();
    session.execute(
        "CREATE KEYSPACE f WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE f.t (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'modelled' AND speculative_retry = 'NEVER'");
    session.execute("CREATE INDEX ON f.t (v)");
    PreparedStatement insert = session.prepare("INSERT INTO f.t (k, v) VALUES (?, ?)");
    for (int k = 0; k < KEYS; k++) {
      session.execute(insert.bind(k, k).setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    load = new MixedLoad(session, "f.t", admin.nodes(), KEYS);
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

  private static void use(String document) {
    for (int node = 0; node < OFF_NODE; node++) {
      for (var setting : Map.of("document", document, "mode", "on").entrySet()) {
        admin.execute(
            admin.nodes().get(node),
            "UPDATE manx.strategy SET value = ? WHERE name = ?",
            setting.getValue(),
            setting.getKey());
      }
    }
  }

  @Test
  void costOfAnOrderForOtherReads() throws InterruptedException {
    use(ARRIVAL);
    load.saturation(CLIENTS, SECONDS, -1);
    double saturation = load.saturation(CLIENTS, SECONDS, -2);
    // The latency of a request almost without waiting; the excess is waiting time.
    Map<Kind, Seen> calm = load.run(saturation / 20, 2 * SECONDS, -3);
    System.out.printf("starvation: saturation %.0f requests/s%n", saturation);
    List<String> starved = new ArrayList<>();
    for (double part : new double[] {0.9, 1.1}) {
      starved.addAll(measure(part, saturation, calm));
    }
    if (!SHORT) {
      assertThat(starved).as("waits beyond %.1f of arrival order's", MOST_OF_ARRIVAL).isEmpty();
    }
  }

  /** The kinds that wait longer than allowed under the preset. */
  private static List<String> measure(double part, double saturation, Map<Kind, Seen> calm)
      throws InterruptedException {
    Map<String, Map<Integer, Map<Kind, Seen>>> seen = new TreeMap<>();
    // The first round warms up.
    for (int round = 0; round <= ROUNDS; round++) {
      for (String arm : BalancedOrder.of(List.copyOf(ARMS.keySet()), SEED, Math.max(1, round))) {
        use(ARMS.get(arm));
        load.run(part * saturation, SETTLE_SECONDS, -10 - round);
        Map<Kind, Seen> kinds = load.run(part * saturation, SECONDS, round);
        kinds.forEach(
            (kind, one) ->
                assertThat(one.failed().get())
                    .as("%s that failed otherwise than by a time-out", kind)
                    .isZero());
        if (round > 0) {
          seen.computeIfAbsent(arm, name -> new TreeMap<>()).put(round, kinds);
        }
      }
    }
    List<String> starved = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      double calmMicros = calm.get(kind).micros().getMean();
      for (String arm : ARMS.keySet()) {
        String what = "%.0f %%, %s, %s".formatted(100 * part, kind, arm);
        Estimate waited =
            print(what, of(seen.get(arm), kind), of(seen.get(BASELINE), kind), calmMicros);
        if (arm.equals(PRESET) && waited.lo() > MOST_OF_ARRIVAL) {
          starved.add(what);
        }
      }
    }
    return starved;
  }

  private static Map<Integer, Seen> of(Map<Integer, Map<Kind, Seen>> rounds, Kind kind) {
    Map<Integer, Seen> ofKind = new TreeMap<>();
    rounds.forEach((round, kinds) -> ofKind.put(round, kinds.get(kind)));
    return ofKind;
  }

  private static Estimate print(
      String what, Map<Integer, Seen> arm, Map<Integer, Seen> baseline, double calmMicros) {
    ToDoubleFunction<Seen> wait = one -> Math.max(1, one.micros().getMean() - calmMicros);
    ToDoubleFunction<Seen> p99 = one -> one.micros().getValueAtPercentile(99);
    Bootstrap bootstrap = Bootstrap.standard();
    Estimate late =
        bootstrap.median(
            arm.keySet().stream().mapToDouble(round -> latePercent(arm.get(round))).toArray());
    Estimate more =
        bootstrap.median(
            arm.keySet().stream()
                .mapToDouble(
                    round -> latePercent(arm.get(round)) - latePercent(baseline.get(round)))
                .toArray());
    Estimate waits =
        bootstrap.median(arm.values().stream().mapToDouble(wait).map(us -> us / 1e3).toArray());
    PairedComparison waited =
        PairedComparison.of(each(arm, wait), each(baseline, wait), false, bootstrap);
    PairedComparison tail =
        PairedComparison.of(each(arm, p99), each(baseline, p99), false, bootstrap);
    System.out.printf(
        "starvation at %s: wait %s ms, ratio %s; P99 ratio %s; timed out %s %%, more by %s%n",
        what,
        text(waits, 1),
        text(waited.ratio(), 3),
        text(tail.ratio(), 3),
        text(late, 2),
        text(more, 2));
    return waited.ratio();
  }

  private static double latePercent(Seen seen) {
    return 100.0 * seen.timedOut().get() / Math.max(1, seen.micros().getTotalCount());
  }

  private static Map<Integer, Double> each(
      Map<Integer, Seen> rounds, ToDoubleFunction<Seen> value) {
    Map<Integer, Double> values = new TreeMap<>();
    rounds.forEach((round, seen) -> values.put(round, value.applyAsDouble(seen)));
    return values;
  }

  private static String text(Estimate estimate, int digits) {
    String format = "%." + digits + "f [%." + digits + "f, %." + digits + "f]";
    return format.formatted(estimate.value(), estimate.lo(), estimate.hi());
  }
}
