/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.EACH_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.THREE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replicas that disagree are answered and repaired as by stock, statement by statement and replica
 * by replica. {@code MANX_FULL} makes it run ten rounds, {@code MANX_SEED} repeats a run.
 */
@SharedNodes
@Timeout(900)
class StaleReplicasEndToEndTest {
  private static final int ROUNDS = "1".equals(System.getenv("MANX_FULL")) ? 10 : 1;
  private static final int CLIENTS = 6;
  // So many that reads wait, and there is an order to change.
  private static final int MANY_CLIENTS = 24;
  private static final int MOST_MORE = 10;
  private static final int READS = 40;
  private static final int KEYS_OF_A_PRESET = 5 * StaleTables.KINDS;
  private static final List<DefaultConsistencyLevel> QUORUMS =
      List.of(QUORUM, LOCAL_QUORUM, EACH_QUORUM, TWO, THREE, ALL);
  private static final List<String> DOCUMENTS =
      List.of(
          "strategy: { select: select.random, order: order.lottery, fanout: fanout.brb-equalmax }",
          "strategy: manx");
  private static final int KEYS = 2 * KEYS_OF_A_PRESET * DOCUMENTS.size();

  private static final int MORE_READS = 4 * READS;
  private static final List<String> ACTS =
      List.of(
          "requests_planned",
          "multigets_unpaged",
          "select_changed",
          "order_queued",
          "order_changed",
          "tags_received");

  private ThreeNodes nodes;
  private StaleTables tables;
  private Answers answers;
  private List<Acted> acted;
  private long seed;
  private int compared;

  @BeforeEach
  void snitch(ThreeNodes fixture) throws Exception {
    nodes = fixture;
    // Each coordinator begins with its own replica, so that stock too reads stale ones.
    use("GossipingPropertyFileSnitch");
  }

  @AfterEach
  void off() throws Exception {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
    use("SimpleSnitch");
  }

  private void use(String snitch) throws Exception {
    for (var node : nodes.cluster().nodes()) {
      OneNode.useSnitch(node, snitch, false, 0.1);
    }
  }

  @Test
  void replicasThatDisagreeAreAnsweredAndRepairedAsByStock() {
    String given = System.getenv("MANX_SEED");
    seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    StaleReads reads = new StaleReads(new SplittableRandom(seed));
    tables = new StaleTables(nodes.session().driver(), KEYS);
    answers = new Answers(nodes, text -> text.replaceAll("_(off|on)\\b", ""));
    acted = DOCUMENTS.stream().map(document -> new Acted(nodes, document)).toList();
    tables.create();
    for (int round = 0; round < ROUNDS; round++) {
      tables.disagree(round);
      round(round, reads);
    }
    System.out.printf("%d reads of replicas that disagree alike%n", compared);
    for (int i = 0; i < DOCUMENTS.size(); i++) {
      // Few clients may by chance leave no order to change.
      for (int more = 0; more < MOST_MORE && !acted.get(i).saw(ACTS); more++) {
        compare(i, reads.draw(MORE_READS, 0, KEYS, QUORUMS, false), MANY_CLIENTS);
      }
      acted.get(i).check(ACTS);
    }
  }

  private void round(int round, StaleReads reads) {
    List<List<String>> stale = replicas("off");
    assertThat(replicas("on")).isEqualTo(stale);
    assertThat(stale).doesNotHaveDuplicates();
    // Half of the keys are read at ALL: of these, both sides repair the same on each replica.
    for (int i = 0; i < DOCUMENTS.size(); i++) {
      int from = i * KEYS_OF_A_PRESET;
      compare(i, reads.draw(READS, from, from + KEYS_OF_A_PRESET, List.of(ALL), true));
    }
    List<List<String>> repaired = replicas("off");
    assertThat(repaired).isNotEqualTo(stale);
    List<List<String>> repairedByManx = replicas("on");
    for (int replica = 0; replica < 3; replica++) {
      assertThat(withoutRanges(round, repairedByManx.get(replica)))
          .as("repaired on replica %d, MANX_SEED=%d", replica, seed)
          .isEqualTo(withoutRanges(round, repaired.get(replica)));
    }
    for (int i = 0; i < DOCUMENTS.size(); i++) {
      int from = KEYS / 2 + i * KEYS_OF_A_PRESET;
      compare(i, reads.draw(2 * READS, from, from + KEYS_OF_A_PRESET, QUORUMS, false));
    }
    // Once all rows are read at ALL, every replica has all of them.
    compare(0, everything());
    List<String> right = replicas("off").get(0);
    for (int replica = 0; replica < 3; replica++) {
      List<String> stock = repaired.get(replica);
      List<String> manx = repairedByManx.get(replica);
      for (String row : Stream.concat(only(stock, manx), only(manx, stock)).toList()) {
        assertThat(stale.get(replica).contains(row) || right.contains(row))
            .as("stale or right on replica %d, MANX_SEED=%d: %s", replica, seed, row)
            .isTrue();
      }
    }
    for (String side : StaleTables.SIDES) {
      for (List<String> replica : replicas(side)) {
        assertThat(replica).as("side %s, MANX_SEED=%d", side, seed).isEqualTo(right);
      }
    }
  }

  /**
   * Rows of other keys than those with a deleted range. Several clients read parts of such a range
   * at once, and of one seed a row was left stale now by stock and now with Manx. What the two
   * leave of these keys is either as it was or right.
   */
  private static List<String> withoutRanges(int round, List<String> rows) {
    return rows.stream().filter(row -> !StaleTables.hasDeletedRange(row, round)).toList();
  }

  private static Stream<String> only(List<String> rows, List<String> others) {
    Set<String> known = Set.copyOf(others);
    return rows.stream().filter(row -> !known.contains(row));
  }

  private void compare(int preset, List<Statements.Drawn> drawn) {
    compare(preset, drawn, CLIENTS);
  }

  /** Sends equal statements to both sides, from several clients at once. */
  private void compare(int preset, List<Statements.Drawn> drawn, int clients) {
    nodes.set("document", DOCUMENTS.get(preset));
    nodes.set("mode", "off");
    List<Answers.Answer> stock = answers.allAtOnce(StaleReads.of(drawn, "off"), clients);
    nodes.set("mode", "on");
    acted.get(preset).begin();
    List<Answers.Answer> manx = answers.allAtOnce(StaleReads.of(drawn, "on"), clients);
    acted.get(preset).end();
    nodes.set("mode", "off");
    for (int i = 0; i < drawn.size(); i++) {
      assertThat(manx.get(i).lines())
          .as("MANX_SEED=%d, %s: %s", seed, DOCUMENTS.get(preset), drawn.get(i))
          .isEqualTo(stock.get(i).lines());
      assertThat(stock.get(i).lines().get(0)).startsWith("columns");
      compared++;
    }
  }

  private static List<Statements.Drawn> everything() {
    List<Statements.Drawn> drawn = new ArrayList<>();
    for (String table : List.of("stale.plain_@", "stale.wide_@")) {
      for (int from = 0; from < KEYS; from += 20) {
        List<Integer> keys = IntStream.range(from, Math.min(KEYS, from + 20)).boxed().toList();
        String cql = "SELECT * FROM " + table + " WHERE k IN ?";
        drawn.add(new Statements.Drawn(cql, List.of(keys), ALL, 5_000, true, false, false));
      }
    }
    return drawn;
  }

  /** The rows that each replica has, read from it alone with Manx off. */
  private List<List<String>> replicas(String side) {
    return nodes.admin().nodes().stream().map(node -> tables.rows(side, node)).toList();
  }
}
