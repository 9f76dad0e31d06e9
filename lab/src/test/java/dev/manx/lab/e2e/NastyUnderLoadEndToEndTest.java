/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three nodes whose third party's policies throw or decide nonsense, under a load that checks every
 * row, and then have a good strategy.
 */
@SharedNodes
@Timeout(300)
class NastyUnderLoadEndToEndTest {
  private static final int KEYS = 300;
  private static final String GOOD =
      "strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax }";
  private static final String TOO_LARGE =
      "strategy: { select: { policy: select.nasty, does: nonsense, memory: 1GiB } }";
  private static final String BREAKER =
      "  calm-after: 0s\n  breaker: { failures: 3, window: 1s, retry-after: 1s }\n";

  private ThreeNodes nodes;
  private PreparedStatement multiget;

  @BeforeEach
  void fill(ThreeNodes fixture) throws IOException {
    nodes = fixture;
    CqlSession session = nodes.session().driver();
    // With two replicas, one node is not a replica.
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS nasty"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS nasty.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    PreparedStatement insert = session.prepare("INSERT INTO nasty.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM nasty.t WHERE k IN ?");
    configure(BREAKER);
  }

  @AfterEach
  void off() throws IOException {
    nodes.set("mode", "off");
    configure("");
    nodes.set("calm-after", "0s");
    nodes.set("document", "strategy: {}");
  }

  /** Further lines of the section {@code plugin} of each node's file. */
  private void configure(String lines) throws IOException {
    for (int node = 0; node < 3; node++) {
      Path file = nodes.cluster().nodes().get(node).folder().resolve("manx.yaml");
      Files.writeString(file, "plugin:\n  mode: off\n" + lines);
    }
    nodes.set("reload", "now");
  }

  @ParameterizedTest
  @CsvSource({"select, throw", "select, throw-sent", "order, throw"})
  void exceptionsOpenTheBreakerUntilTheStrategyIsMended(String family, String does) {
    List<Long> opened = counters("breaker_opened");
    List<Long> tried = counters("breaker_half_opened");
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), multiget, KEYS);
    try (load) {
      use(family, does);
      each("its breaker opens", node -> counter(node, "breaker_opened") > opened.get(node));
      assertThatABadDocumentChangesNothing(family);
      each("it tries again", node -> counter(node, "breaker_half_opened") > tried.get(node));
      each("it opens again", node -> counter(node, "breaker_opened") > opened.get(node) + 1);
      load.go(100);
      nodes.set("document", GOOD);
      each(
          "its breaker is closed and Manx on",
          node ->
              status(node).get("breaker").equals("closed")
                  && status(node).get("mode").equals("on"));
      assertThatItActs(load);
    }
    assertThatNothingWasLost(load);
  }

  @ParameterizedTest
  @CsvSource({
    "select, nonsense, select_mended",
    "select, duplicate, select_mended",
    "select, foreign, select_mended",
    "order, nothing, order_drained"
  })
  void invalidDecisionsAreMendedAndCounted(String family, String does, String counted) {
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), multiget, KEYS);
    try (load) {
      List<Long> faults = counters("faults");
      use(family, does);
      List<Long> before = counters(counted);
      each(counted, node -> counter(node, counted) > before.get(node));
      assertThatABadDocumentChangesNothing(family);
      load.go(200);
      assertThat(counters("faults")).isEqualTo(faults);
      each("Manx is on", node -> status(node).get("mode").equals("on"));
      nodes.set("document", GOOD);
      assertThatItActs(load);
      assertThat(counters("faults")).isEqualTo(faults);
    }
    assertThatNothingWasLost(load);
  }

  private void use(String family, String does) {
    nodes.set(
        "document",
        "strategy: { %s: { policy: %s.nasty, does: %s } }".formatted(family, family, does));
    nodes.set("mode", "on");
  }

  private void assertThatABadDocumentChangesNothing(String family) {
    assertThatThrownBy(() -> nodes.set("document", TOO_LARGE))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("an eighth of this node's heap");
    assertThat(status(0)).containsEntry("policy." + family, family + ".nasty");
  }

  private void assertThatItActs(CheckedLoad load) {
    List<Long> planned = counters("requests_planned");
    List<Long> decided = counters("order_decisions");
    load.go(200);
    each("it plans", node -> counter(node, "requests_planned") > planned.get(node));
    each("its order decides", node -> counter(node, "order_decisions") > decided.get(node));
  }

  private void assertThatNothingWasLost(CheckedLoad load) {
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    each("no ticket is open", node -> status(node).get("tickets.open").startsWith("0 of"));
    each(
        "no work is outstanding",
        node ->
            nodes.admin().rows(node(node), "SELECT * FROM manx.replicas").stream()
                .allMatch(
                    row ->
                        ((Number) row.get("outstanding_reads")).longValue() == 0
                            && ((Number) row.get("outstanding_work_us")).longValue() == 0));
    for (int node = 0; node < 3; node++) {
      int of = node;
      Tickets.awaitBalance(() -> nodes.table(of, "manx.counters", "value"));
      assertThat(status(node).get("queue.ranked")).startsWith("0 of");
    }
  }

  private static void each(String what, IntPredicate holds) {
    for (int i = 0; i < 3; i++) {
      int node = i;
      Waiting.until("node " + (node + 1) + ": " + what, () -> holds.test(node));
    }
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private Map<String, String> status(int node) {
    return nodes.table(node, "manx.strategy", "value");
  }

  private List<Long> counters(String name) {
    return IntStream.range(0, 3).mapToObj(node -> counter(node, name)).toList();
  }

  private long counter(int node, String name) {
    return Long.parseLong(nodes.table(node, "manx.counters", "value").get(name));
  }
}
