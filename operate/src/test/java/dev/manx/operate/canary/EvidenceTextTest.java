/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.operate.canary.Compared.Group;
import dev.manx.operate.canary.Compared.Row;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.States;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvidenceTextTest {
  private static final String TENTH = "{ keyspaces: [], tables: [shop.carts], share: 0.1 }";

  private static NodeState canary(String node, String... rows) {
    NodeState state = States.node(node, rows);
    state.strategy().putIfAbsent("canary", TENTH);
    state.strategy().putIfAbsent("latency-since", "2026-11-22T18:00:00Z");
    return state;
  }

  private static Map<Long, Long> slow(long upTo, long count) {
    return Map.of(999L, 0L, 1_023L, 99 * count, upTo - 8_191, 0L, upTo, 2 * count);
  }

  private static Group group(long upTo, long count) {
    return new Group(slow(upTo, count), 0L, 0L);
  }

  /** 10 100 requests with latencies of each group, and failed ones; null if not counted. */
  private static String failing(Long with, Long without) {
    Row row =
        new Row(
            "all",
            1,
            "1",
            new Group(slow(40_959, 100), 0L, with),
            new Group(slow(106_495, 100), without == null ? null : 0L, without));
    return EvidenceText.of(
            List.of(canary("a")), List.of(new Compared("a", List.of(row), "")), false)
        .get(1);
  }

  /** A node of an earlier version has requests of other shares, and no failures. */
  @Test
  void requestsOfNodesThatDoNotCountFailuresAreLeftOutOfTheirComparison() {
    Failures acted = new Failures();
    Failures control = new Failures();
    acted.add(1_000, null, null);
    control.add(9_000, null, null);
    acted.add(9_900, 0L, 100L);
    control.add(9_900, 0L, 100L);
    assertThat(acted.differsFrom(control)).isFalse();
    assertThat(acted.isKnown()).isFalse();
    acted.add(0, 0L, 100L);
    assertThat(acted.differsFrom(control)).isTrue();
  }

  /** A request that Manx makes fail within a millisecond is not a fast one. */
  @Test
  void requestsThatFailMoreOftenAreNotFaster() {
    assertThat(failing(0L, 0L)).contains("P99 41.0 ms with").doesNotContain("failed");
    assertThat(failing(900L, 3L))
        .isEqualTo(
            "  reads of one key: not compared, because they do not fail equally often (10 100 and"
                + " 10 100 requests with a latency; failed: 900 of 11 000 with, 3 of 10 103"
                + " without)");
    assertThat(failing(3L, 900L)).contains("not compared");
    assertThat(failing(4L, 3L))
        .contains("P99 41.0 ms with")
        .endsWith("; failed: 4 of 10 104 with, 3 of 10 103 without)");
    assertThat(failing(1L, null)).contains("P99 41.0 ms with").contains("not counted by all nodes");
  }

  @Test
  void requestsThatAllFailAreCounted() {
    Row row =
        new Row("all", 1, "1", new Group(Map.of(), 0L, 50L), new Group(slow(40_959, 5), 0L, 0L));
    assertThat(
            EvidenceText.of(
                    List.of(canary("a")), List.of(new Compared("a", List.of(row), "")), false)
                .get(1))
        .contains("failed: 50 of 50 with, 0 of 505 without");
  }

  private static Compared counted(String node, long with, long without) {
    List<Row> rows =
        List.of(
            new Row("all", 21, "21-100", group(40_959, with), group(106_495, without)),
            new Row("shop.carts", 21, "21-100", group(40_959, with), group(106_495, without)));
    return new Compared(node, rows, "");
  }

  @Test
  void nodesWithTheSameCanaryAreAddedUp() {
    List<NodeState> states = List.of(canary("a"), canary("b"), States.node("c"));
    List<Compared> counted =
        List.of(counted("a", 3, 30), counted("b", 3, 30), counted("c", 500, 500));
    List<String> lines = EvidenceText.of(states, counted, false);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .isEqualTo("canary: 10% of shop.carts on a, b, since 2026-11-22T18:00:00Z");
    assertThat(lines.get(1))
        .startsWith("  multigets of 21-100 keys: P99 41.0 ms with, 106 ms without (95 % interval")
        .endsWith("; 606 and 6 060 requests)")
        .doesNotContain("no difference");
    assertThat(EvidenceText.of(states, counted, true).get(2))
        .startsWith("  multigets of 21-100 keys of shop.carts: P99 41.0 ms with");
  }

  /** A node that restarted must not make a week of the others look like ten minutes. */
  @Test
  void aNodeThatBeganAnewIsTold() {
    String soon = "2026-11-22T18:00:03Z";
    String later = "2026-11-23T09:00:00Z";
    assertThat(first(canary("a"), canary("b", "latency-since", soon)))
        .endsWith(" on all 2 nodes, since " + soon);
    assertThat(first(canary("a"), canary("b", "latency-since", later)))
        .endsWith(", since 2026-11-22T18:00:00Z, on some nodes only since " + later);
  }

  private static String first(NodeState... states) {
    List<Compared> counted =
        Arrays.stream(states).map(state -> counted(state.node(), 5, 5)).toList();
    return EvidenceText.of(List.of(states), counted, false).get(0);
  }

  @Test
  void tooFewRequestsAreSaidToBeTooFew() {
    assertThat(EvidenceText.of(List.of(canary("a")), List.of(counted("a", 1, 30)), false).get(1))
        .contains("too few requests to say at P99 (101 and 3 030 requests; about 370");
    Compared none =
        new Compared(
            "a",
            List.of(new Row("all", 1, "1", group(40_959, 9), new Group(Map.of(), 0L, 0L))),
            "");
    assertThat(EvidenceText.of(List.of(canary("a")), List.of(none), false).get(1))
        .contains("reads of one key: none without Manx, so there is nothing to compare");
    Compared calm = new Compared("a", List.of(), "");
    assertThat(EvidenceText.of(List.of(canary("a")), List.of(calm), false).get(1))
        .contains("nothing to compare yet");
  }

  @Test
  void nodesWithoutLatenciesAreLeftOutByName() {
    List<NodeState> states = List.of(canary("a"), canary("b", "mode", "shadow"), canary("c"));
    List<Compared> counted =
        List.of(counted("a", 5, 5), counted("b", 5, 5), new Compared("c", List.of(), "old"));
    assertThat(EvidenceText.of(states, counted, false))
        .hasSize(4)
        .contains("  not compared, because their mode is not on: b", "  excluded: c: old")
        .last()
        .asString()
        .contains("505 and 505 requests");
  }

  @Test
  void nodesWithDifferentCanariesAreNotMixed() {
    List<NodeState> states = List.of(canary("a"), canary("b", "canary", "0.5"));
    List<String> lines =
        EvidenceText.of(states, List.of(counted("a", 5, 5), counted("b", 7, 7)), false);
    assertThat(lines).hasSize(4);
    assertThat(lines.get(2)).startsWith("canary: 50% of all tables on b");
    assertThat(lines.get(3)).endsWith("707 and 707 requests)");
  }

  @Test
  void withoutACanaryThereIsNothingToSay() {
    assertThat(EvidenceText.of(List.of(States.node("a")), List.of(counted("a", 5, 5)), false))
        .isEmpty();
  }
}
