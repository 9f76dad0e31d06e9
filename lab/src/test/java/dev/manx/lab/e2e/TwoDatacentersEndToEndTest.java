/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.Node;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two datacenters of two nodes each, in separate racks; all nodes hold every key. The snitch is
 * changed over JMX while Manx is on.
 */
@OwnNodes
@Timeout(300)
class TwoDatacentersEndToEndTest {
  private static final List<DefaultConsistencyLevel> ONE_ON_LEVELS =
      "1".equals(System.getenv("MANX_FULL"))
          ? List.of(
              DefaultConsistencyLevel.LOCAL_ONE,
              DefaultConsistencyLevel.LOCAL_QUORUM,
              DefaultConsistencyLevel.EACH_QUORUM,
              DefaultConsistencyLevel.QUORUM)
          : List.of(DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.QUORUM);
  private static final int WIDTH = TwoDatacenters.WIDTH;
  private static final int REQUESTS = TwoDatacenters.REQUESTS;
  private static final int BURST = 40;
  // Of times alone the dynamic snitch leaves the datacenter in stock too, once they differ by its
  // badness threshold; by this much they never do.
  private static final double NEVER = 1e9;
  private static final String LEAST_WORK =
      """
      strategy:
        select: select.low
        order: order.bottleneck
        fanout: fanout.brb-equalmax
        facts: [pending-reads, service-time, work-ahead]
      """;

  private static TwoDatacenters nodes;

  @BeforeAll
  static void boot() throws Exception {
    nodes = TwoDatacenters.boot();
  }

  @AfterAll
  static void stop() {
    if (nodes != null) {
      nodes.close();
    }
  }

  @Test
  void anExperimentsSessionReachesTheNodesOfBothAndCoordinatesInOne() {
    CassandraSettings settings =
        CassandraSettings.of(
            nodes.cluster().nodes().stream()
                .map(node -> new InetSocketAddress(node.address(), Node.NATIVE_PORT))
                .toList());
    try (CassandraSession session = CassandraSession.open(settings)) {
      NodeAdmin admin = new NodeAdmin(session);
      assertThat(admin.nodes())
          .hasSize(4)
          .allSatisfy(
              node ->
                  assertThat(admin.rows(node, "SELECT rpc_address FROM system.local"))
                      .extracting(row -> row.get("rpc_address"))
                      .containsExactly(node.getBroadcastRpcAddress().orElseThrow().getAddress()));
      assertThat(session.coordinators())
          .extracting(node -> node.getBroadcastRpcAddress().orElseThrow().getHostString())
          .containsExactlyInAnyOrder("127.0.0.1", "127.0.0.2");
    }
  }

  static Stream<Arguments> snitches() {
    return Stream.of("GossipingPropertyFileSnitch", "PropertyFileSnitch")
        .flatMap(snitch -> Stream.of(false, true).map(dynamic -> Arguments.of(snitch, dynamic)));
  }

  @ParameterizedTest
  @MethodSource("snitches")
  void noReadLeavesTheCoordinatorsDatacenter(String snitch, boolean dynamic) throws Exception {
    nodes.use(snitch, dynamic, NEVER);
    awaitStockAtHome();
    noReadLeavesAt(DefaultConsistencyLevel.ONE);
    noReadLeavesAt(DefaultConsistencyLevel.LOCAL_ONE);
    noReadLeavesAt(DefaultConsistencyLevel.LOCAL_QUORUM);
  }

  /**
   * A dynamic snitch treats an unknown node as the fastest, so stock starts with reads that leave.
   */
  private static void awaitStockAtHome() {
    for (int node = 0; node < 2; node++) {
      nodes.set(node, "mode", "off");
    }
    nodes.ask(DefaultConsistencyLevel.ALL, 0, 1);
    Waiting.until(
        "no read of stock leaves",
        () -> {
          long away = nodes.reads(2) + nodes.reads(3);
          nodes.ask(DefaultConsistencyLevel.ONE, 0, 1);
          return nodes.reads(2) + nodes.reads(3) == away;
        });
    for (int node = 0; node < 2; node++) {
      nodes.set(node, "mode", "on");
    }
    Waiting.until(
        "a neighbour that was off no longer counts as without Manx",
        () -> {
          long planned = nodes.counter(0, "reads_planned") + nodes.counter(1, "reads_planned");
          nodes.ask(DefaultConsistencyLevel.ONE, 0, 1);
          return nodes.counter(0, "reads_planned") + nodes.counter(1, "reads_planned") - planned
              == (long) REQUESTS * WIDTH;
        });
  }

  private static void noReadLeavesAt(DefaultConsistencyLevel level) {
    long planned = nodes.counter(0, "reads_planned") + nodes.counter(1, "reads_planned");
    long changed = nodes.counter(0, "select_changed") + nodes.counter(1, "select_changed");
    long home = nodes.reads(0) + nodes.reads(1);
    long away = nodes.reads(2) + nodes.reads(3);
    nodes.ask(level, 0, 1);
    assertThat(nodes.reads(2) + nodes.reads(3))
        .as("reads in the other datacenter at " + level)
        .isEqualTo(away);
    int perRead = level == DefaultConsistencyLevel.LOCAL_QUORUM ? 2 : 1;
    assertThat(nodes.reads(0) + nodes.reads(1) - home).isEqualTo((long) REQUESTS * WIDTH * perRead);
    assertThat(nodes.counter(0, "reads_planned") + nodes.counter(1, "reads_planned") - planned)
        .isEqualTo((long) REQUESTS * WIDTH);
    if (perRead == 1) {
      assertThat(nodes.counter(0, "select_changed") + nodes.counter(1, "select_changed"))
          .as("it went elsewhere inside its own at " + level)
          .isGreaterThan(changed);
    }
  }

  /**
   * A dynamic snitch with its default threshold, ordered by the severities that nodes report: a
   * neighbour that is slow but better than the other datacenter, one that is worse, and an own
   * datacenter that is worse as a whole.
   */
  @Test
  void noReadLeavesThatStaysUnderADynamicSnitchThatReorders() throws Exception {
    nodes.use("GossipingPropertyFileSnitch", true, 0.1);
    SnitchScores scores = new SnitchScores(nodes);
    try {
      // Stock's order of nodes is 1 2 | 3 4.
      scores.report(0, 1, 2, 2);
      scores.compare(DefaultConsistencyLevel.ONE, 0, SnitchScores.Spread.MOVES);
      scores.compare(DefaultConsistencyLevel.LOCAL_ONE, 0, SnitchScores.Spread.MOVES);
      // 1 | 3 4 | 2: the neighbour is no choice at ONE.
      scores.report(0, 2, 1, 1);
      scores.compare(DefaultConsistencyLevel.ONE, 0, SnitchScores.Spread.STAYS);
      scores.compare(DefaultConsistencyLevel.LOCAL_ONE, 0, SnitchScores.Spread.MOVES);
      scores.compare(DefaultConsistencyLevel.LOCAL_QUORUM, 0, SnitchScores.Spread.STAYS);
      // 3 4 | 1 2: stock leaves too, unless the consistency level forbids it.
      scores.report(2, 2, 0, 0);
      scores.compare(DefaultConsistencyLevel.ONE, REQUESTS * WIDTH, SnitchScores.Spread.MOVES);
      scores.compare(DefaultConsistencyLevel.LOCAL_ONE, 0, SnitchScores.Spread.MOVES);
      scores.compare(DefaultConsistencyLevel.LOCAL_QUORUM, 0, SnitchScores.Spread.STAYS);
    } finally {
      scores.report(0, 0, 0, 0);
      nodes.use("GossipingPropertyFileSnitch", false, NEVER);
    }
  }

  @Test
  void aReadLeavesItsRackOnlyForItsPrice() throws Exception {
    nodes.use("GossipingPropertyFileSnitch", false, NEVER);
    PreparedStatement insert = nodes.session().prepare("INSERT INTO dc.slow (k, v) VALUES (?, ?)");
    CheckedLoad.fill(nodes.session(), insert, TwoDatacenters.KEYS);
    try {
      for (int node = 0; node < 2; node++) {
        nodes.set(node, "document", LEAST_WORK);
      }
      // Both are alone in their racks, and have far more reads than their two threads can serve.
      long dear = servedElsewhere(0);
      long free = servedElsewhere(1);
      System.out.printf(
          "of %d reads each, %d left a rack at a price of 1 min, %d at none%n",
          BURST * WIDTH, dear, free);
      assertThat(dear).isZero();
      assertThat(free).isBetween(1L, BURST * (long) WIDTH - 1);
    } finally {
      for (int node = 0; node < 2; node++) {
        nodes.set(node, "document", TwoDatacenters.RANDOM);
      }
    }
  }

  /** Sends many multigets at once to a node; how many of their reads its neighbour served. */
  private static long servedElsewhere(int coordinator) {
    long home = nodes.reads("slow", 0) + nodes.reads("slow", 1);
    long away = nodes.reads("slow", 2) + nodes.reads("slow", 3);
    long neighbour = nodes.reads("slow", 1 - coordinator);
    PreparedStatement slow = nodes.session().prepare("SELECT k, v FROM dc.slow WHERE k IN ?");
    List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      int from = i % (TwoDatacenters.KEYS - WIDTH);
      List<Integer> keys = IntStream.range(from, from + WIDTH).boxed().toList();
      sent.add(nodes.session().executeAsync(slow.bind(keys).setNode(nodes.node(coordinator))));
    }
    for (CompletionStage<AsyncResultSet> each : sent) {
      assertThat(each.toCompletableFuture().join().currentPage()).hasSize(WIDTH);
    }
    assertThat(nodes.reads("slow", 0) + nodes.reads("slow", 1) - home)
        .isEqualTo((long) BURST * WIDTH);
    assertThat(nodes.reads("slow", 2) + nodes.reads("slow", 3)).isEqualTo(away);
    return nodes.reads("slow", 1 - coordinator) - neighbour;
  }

  @Test
  void manxInOneOfTwoDatacentersCostsNoWrongRowAndNoReadThatLeaves() throws Exception {
    nodes.use("GossipingPropertyFileSnitch", false, NEVER);
    OneDatacenterOn one = new OneDatacenterOn(nodes);
    one.fill();
    try {
      for (int acting = 0; acting < 2; acting++) {
        for (DefaultConsistencyLevel level : ONE_ON_LEVELS) {
          one.load(acting, level);
        }
      }
    } finally {
      for (int node = 0; node < 4; node++) {
        nodes.set(node, "mode", "on");
      }
    }
  }

  /** A measurement; prints, and judges only that rows are right. */
  @Test
  @EnabledIfEnvironmentVariable(named = "MANX_MEASURE", matches = "1|short")
  void costOfManxInOneDatacenterForClientsOfTheOther() throws Exception {
    nodes.use("GossipingPropertyFileSnitch", false, NEVER);
    OneDatacenterOn one = new OneDatacenterOn(nodes);
    one.fill();
    try {
      for (DefaultConsistencyLevel level :
          List.of(DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.QUORUM)) {
        for (int turn = 0; turn < 3; turn++) {
          for (int acting = -1; acting < 2; acting++) {
            System.out.printf(
                "%s, Manx on in datacenter %s: answered by way of each %s%n",
                level,
                acting < 0 ? "none" : acting + 1,
                Arrays.toString(one.answered(acting, level, 5)));
          }
        }
      }
    } finally {
      for (int node = 0; node < 4; node++) {
        nodes.set(node, "mode", "on");
      }
    }
  }

  /** {@code ./manx run --on}: requests go to one datacenter, and all nodes are switched. */
  @Test
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full runs statements of its own on two datacenters")
  void statementsOfOnesOwnStayInTheDatacenterThatIsNamed(@TempDir Path folder) throws Exception {
    nodes.use("GossipingPropertyFileSnitch", false, NEVER);
    Path file =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            experiment: own
            on: own-cluster
            quick: true
            statements:
              page: { cql: "SELECT * FROM dc.t WHERE k IN ?", keys: [4, 8] }
            loads: [40/s]
            rounds: 1
            warm-up: 0s
            window: 2s
            sample: 40
            arms:
              stock: { mode: off }
              manx: { mode: on, strategy: manx }
            """);
    Command unsure = Command.run("run", file.toString(), "--on=127.0.0.1");
    assertThat(unsure.code()).as(unsure.output()).isEqualTo(1);
    assertThat(unsure.output())
        .contains("which datacenter is near? Give --local-dc", "datacenter1, datacenter2");
    List<String> before = nodes.switches();
    long home = nodes.reads(0) + nodes.reads(1);
    long away = nodes.reads(2) + nodes.reads(3);
    long[] planned = {planned(0), planned(1)};
    Path out = folder.resolve("out");
    // The contact point is of the other datacenter.
    Command ended =
        Command.run(
            "run", file.toString(), "--on=127.0.0.1", "--local-dc=datacenter2", "--out=" + out);
    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(nodes.reads(0) + nodes.reads(1)).isEqualTo(home);
    assertThat(nodes.reads(2) + nodes.reads(3)).isGreaterThan(away);
    assertThat(planned(0)).isEqualTo(planned[0]);
    assertThat(planned(1)).isGreaterThan(planned[1]);
    OwnResults results = new OwnResults(out);
    for (String arm : List.of("stock", "manx")) {
      assertThat(results.sent(arm)).as("sent by " + arm).isPositive();
      assertThat(results.failed(arm)).as("failed or timed out by " + arm).isZero();
    }
    assertThat(Files.readString(out.resolve("environment.json")))
        .contains("2 in datacenter1, 2 in datacenter2");
    assertThat(nodes.switches()).isEqualTo(before);
  }

  /** Requests that the nodes of a datacenter, 0 or 1, planned as coordinators. */
  private static long planned(int datacenter) {
    return nodes.counter(2 * datacenter, "requests_planned")
        + nodes.counter(2 * datacenter + 1, "requests_planned");
  }

  @Test
  void aQuorumOfEachIsLeftToStock() {
    long planned = nodes.counter(0, "requests_planned");
    long left = nodes.counter(0, "requests_not_planned");
    long home = nodes.reads(0) + nodes.reads(1);
    long away = nodes.reads(2) + nodes.reads(3);
    nodes.ask(DefaultConsistencyLevel.EACH_QUORUM, 0, 0);
    assertThat(nodes.counter(0, "requests_planned")).isEqualTo(planned);
    assertThat(nodes.counter(0, "requests_not_planned") - left).isEqualTo(REQUESTS);
    assertThat(nodes.reads(0) + nodes.reads(1) - home).isEqualTo(2L * REQUESTS * WIDTH);
    assertThat(nodes.reads(2) + nodes.reads(3) - away).isEqualTo(2L * REQUESTS * WIDTH);
  }

  @Test
  void aQuorumOfAllStaysAtHomeAsFarAsStocksDoes() {
    long home = nodes.reads(0) + nodes.reads(1);
    long away = nodes.reads(2) + nodes.reads(3);
    // Three of four: both at home, and one of the other two.
    nodes.ask(DefaultConsistencyLevel.QUORUM, 0, 1);
    assertThat(nodes.reads(0) + nodes.reads(1) - home).isEqualTo(2L * REQUESTS * WIDTH);
    assertThat(nodes.reads(2) + nodes.reads(3) - away).isEqualTo((long) REQUESTS * WIDTH);
  }
}
