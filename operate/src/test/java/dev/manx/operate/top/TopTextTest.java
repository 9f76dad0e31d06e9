/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import dev.manx.operate.canary.LatencyCounts;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopTextTest {
  private static final NodeState NODE =
      States.node("10.0.0.1", "queues", "one was seen 10ms ago", "breaker", "half-open: boom");
  private static final NodeRates BUSY =
      NodeRates.between(
          look(
              States.counting(NODE, 10, "requests_planned", 100, "requests_calm", 7),
              Map.of(1_000L, 90L, 80_000L, 5L)),
          look(
              States.counting(
                  NODE,
                  12,
                  "requests_planned",
                  300,
                  "requests_calm",
                  8,
                  "multigets_unpaged",
                  20,
                  "order_queued",
                  2_000,
                  "select_decisions",
                  400,
                  "select_changed",
                  100,
                  "order_decisions",
                  1_000,
                  "order_changed",
                  5,
                  "faults",
                  2),
              Map.of(1_000L, 185L, 80_000L, 5L, 41_000L, 5L)));
  private static final Look GONE =
      Look.of(States.without("10.0.0.2", Manx.UNREACHABLE, "no answer yet"));

  private static Look look(NodeState node, Map<Long, Long> busy) {
    LatencyCounts counts = new LatencyCounts();
    counts.add(busy);
    return new Look(node, Optional.of(counts), "");
  }

  @Test
  void ratesArePerSecondAndSharesOfWhatWasDecided() {
    assertThat(BUSY.planned()).isEqualTo(100);
    assertThat(BUSY.calm()).isEqualTo(0.5);
    assertThat(BUSY.unpaged()).isEqualTo(10);
    assertThat(BUSY.queued()).isEqualTo(1_000);
    assertThat(BUSY.selectChanged()).isEqualTo(25);
    assertThat(BUSY.orderChanged()).isEqualTo(0.5);
    assertThat(BUSY.faults()).isEqualTo(2);
  }

  @Test
  void p99IsThatOfTheRequestsBetweenTheLooks() {
    assertThat(BUSY.busy().orElseThrow().count()).isEqualTo(100);
    assertThat(NodeRates.p99Millis(BUSY.busy())).isEqualTo(41);
  }

  @Test
  void aNodeThatRestartedCountsFromNothing() {
    NodeRates rates =
        NodeRates.between(
            look(
                States.counting(NODE, 10, "requests_planned", 5_000),
                Map.of(1_000L, 900L, 2_000L, 90L)),
            look(States.counting(NODE, 12, "requests_planned", 40), Map.of(1_000L, 901L)));
    assertThat(rates.planned()).isEqualTo(20);
    assertThat(rates.busy().orElseThrow().buckets()).isEqualTo(Map.of(1_000L, 901L));
  }

  @Test
  void aNodeThatWasOrIsAwayHasNoRates() {
    Look here = look(NODE, Map.of(1_000L, 50L));
    assertThat(NodeRates.between(GONE, here).planned()).isNaN();
    assertThat(NodeRates.between(GONE, here).busy()).isEmpty();
    assertThat(NodeRates.between(here, GONE).planned()).isNaN();
    NodeRates idle = NodeRates.between(here, look(States.counting(NODE, 2), Map.of(1_000L, 50L)));
    assertThat(idle.selectChanged()).isNaN();
    assertThat(NodeRates.p99Millis(idle.busy())).isNaN();
  }

  @Test
  void theTableHasARowForEachNodeAndOneForAll() {
    List<NodeRates> nodes = List.of(BUSY, NodeRates.between(GONE, GONE));
    assertThat(TopText.table("production at 12:00:00", nodes).lines())
        .containsExactly(
            "production at 12:00:00; strategy manx on 1 node",
            "node      datacenter  mode  queues   calm/s  planned/s  unpaged/s  P99 ms  queued/s"
                + "  select  order  breaker    faults",
            "10.0.0.1  dc1         on    waiting     0.5        100         10    41.0      1000"
                + "   25.0%   0.5%  half-open       2",
            "10.0.0.2  dc1         -",
            "all                                     0.5        100         10    41.0      1000",
            "10.0.0.2: no answer yet");
  }

  private static NodeRates withCanary(String node, String canary) {
    Look look = look(States.node(node, "canary", canary), Map.of());
    return NodeRates.between(look, look);
  }

  /** All other requests are missing in P99. */
  @Test
  void theTablesOfACanaryAreInTheTitle() {
    String carts = "{ keyspaces: [], tables: [shop.carts], share: 0.1 }";
    NodeRates some = withCanary("10.0.0.1", carts);
    NodeRates all = withCanary("10.0.0.2", "0.1");
    assertThat(TopText.table("now", List.of(some, some)))
        .startsWith("now; strategy manx on 2 nodes; P99 of shop.carts\n");
    assertThat(TopText.table("now", List.of(some, all)))
        .startsWith(
            "now; strategy manx on 2 nodes; P99 of shop.carts on 1 node, all tables on 1 node\n");
    assertThat(TopText.table("now", List.of(all, BUSY)))
        .startsWith("now; strategy manx on 2 nodes\n");
  }

  private static List<NodeRates> hidden(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> Look.of(States.without("10.0.1." + i, Manx.HIDDEN, "may not see it")))
        .map(look -> NodeRates.between(look, look))
        .toList();
  }

  /** One line per node hid the table. */
  @Test
  void nodesWithTheSameTroubleShareANote() {
    List<NodeRates> nodes = new ArrayList<>(List.of(BUSY));
    nodes.addAll(hidden(30));
    assertThat(TopText.table("now", nodes).lines())
        .filteredOn(line -> line.contains("may not see it"))
        .containsExactly(
            "10.0.1.1, 10.0.1.2, 10.0.1.3, 10.0.1.4, 10.0.1.5, 10.0.1.6 and 24 more:"
                + " may not see it");
  }

  /** Heading and first nodes scrolled away. */
  @Test
  void onATerminalNodesInTroubleComeFirstAndTheRestIsCounted() {
    List<NodeRates> nodes = new ArrayList<>();
    for (int i = 1; i <= 28; i++) {
      Look look = look(States.node("10.0.0." + i), Map.of());
      nodes.add(NodeRates.between(look, look));
    }
    nodes.addAll(hidden(2));
    List<String> lines = TopText.fitting("now", nodes, 24, 200).lines().toList();
    assertThat(lines).hasSize(23);
    assertThat(lines.get(1)).startsWith("node ");
    assertThat(lines.get(2)).startsWith("10.0.1.1 ");
    assertThat(lines.get(3)).startsWith("10.0.1.2 ");
    assertThat(lines.get(4)).startsWith("10.0.0.1 ");
    assertThat(lines.subList(20, 23))
        .satisfiesExactly(
            all -> assertThat(all).startsWith("all "),
            more -> assertThat(more).isEqualTo("... 12 more: --nodes, --dc or --once"),
            note -> assertThat(note).isEqualTo("10.0.1.1, 10.0.1.2: may not see it"));
    assertThat(TopText.fitting("now", nodes, 24, 80).lines()).as("lines wrap").hasSizeLessThan(16);
    assertThat(TopText.fitting("now", nodes, 60, 200)).isEqualTo(TopText.table("now", nodes));
    assertThat(TopText.fitting("now", nodes, 3, 200).lines()).as("never less than this").hasSize(5);
  }

  @Test
  void requestsThatArePlannedAreNotASignOfWaitingReads() throws Exception {
    Look planned =
        look(
            States.node(
                "10.0.0.1",
                "queues",
                "no read has waited for 12s: requests are planned nevertheless"),
            Map.of());
    List<NodeRates> nodes = List.of(NodeRates.between(planned, planned));
    assertThat(TopText.table("now", nodes)).containsPattern("10\\.0\\.0\\.1 +dc1 +on +none ");
    JsonNode json = new ObjectMapper().readTree(TopText.json("now", nodes));
    assertThat(json.get("nodes").get(0).get("calm").asBoolean()).as("left to stock").isFalse();
  }

  @Test
  void whereNoNodeAnswersTheSumIsNotZero() {
    List<NodeRates> nodes = List.of(NodeRates.between(GONE, GONE), NodeRates.between(GONE, GONE));
    assertThat(TopText.table("production at 12:00:00", nodes).lines())
        .contains(
            "all                                      -          -          -       -         -");
  }

  @Test
  void jsonIsOneLineWithoutNumbersThatAreNone() throws Exception {
    String line =
        TopText.json("2026-01-01T00:00:00Z", List.of(BUSY, NodeRates.between(GONE, GONE)));
    assertThat(line.lines()).hasSize(1);
    JsonNode nodes = new ObjectMapper().readTree(line).get("nodes");
    assertThat(nodes.get(0).get("reads_queued_per_s").asDouble()).isEqualTo(1_000);
    assertThat(nodes.get(0).get("busy_requests").asLong()).isEqualTo(100);
    assertThat(nodes.get(0).get("busy_p99_ms").asDouble()).isEqualTo(41);
    assertThat(nodes.get(0).get("calm").asBoolean()).isFalse();
    assertThat(nodes.get(1).get("busy_p99_ms").isNull()).isTrue();
    assertThat(nodes.get(1).get("busy_requests").isNull()).isTrue();
    assertThat(nodes.get(1).get("requests_planned_per_s").isNull()).isTrue();
    assertThat(nodes.get(1).get("manx").asText()).isEqualTo("unreachable");
  }

  /** All that the node has counted since it started is not what happened in an interval. */
  @Test
  void aSampleWithoutLatenciesIsNotOneOfAnIdleNode() {
    NodeState.Question late =
        cql -> {
          throw new NodeException(Kind.UNANSWERED, "no answer came in time", null);
        };
    Look unknown = Look.of(States.node("10.0.0.1"), late);
    Look known = look(States.node("10.0.0.1"), Map.of(1_000L, 90_000L, 80_000L, 50_000L));
    for (NodeRates rates :
        List.of(NodeRates.between(unknown, known), NodeRates.between(known, unknown))) {
      assertThat(NodeRates.p99Millis(rates.busy())).isNaN();
      assertThat(TopText.table("production", List.of(rates)))
          .contains("10.0.0.1: P99 ms is not known: manx.latency: no answer came in time");
      assertThat(TopText.json("now", List.of(rates))).contains("\"busy_requests\":null");
    }
    assertThat(NodeRates.p99Millis(NodeRates.between(known, known).busy())).isNaN();
    Look older =
        Look.of(
            States.node("10.0.0.1"),
            cql -> {
              throw new NodeException(Kind.ABSENT, "table latency does not exist", null);
            });
    assertThat(TopText.table("production", List.of(NodeRates.between(older, older))))
        .doesNotContain("P99 ms is not known");
  }

  /** The column looks as if no read had waited. */
  @Test
  void aMissingGrantForTheLatenciesIsShown() {
    NodeState.Question question =
        cql -> {
          throw new NodeException(Kind.FORBIDDEN, "no SELECT permission", null);
        };
    List<NodeRates> rates =
        Stream.of("10.0.0.1", "10.0.0.2")
            .map(node -> Look.of(States.node(node), question))
            .map(look -> NodeRates.between(look, look))
            .toList();
    assertThat(TopText.table("production", rates).lines())
        .containsOnlyOnce(
            "all 2 nodes: P99 ms is not known: GRANT SELECT ON TABLE manx.latency TO the user");
  }
}
