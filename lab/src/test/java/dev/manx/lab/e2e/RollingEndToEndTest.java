/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Three stock nodes get the plugin's jar one after the other, in three versions of its wire form;
 * then a fourth node joins and leaves. Clients check every row all the time.
 */
@OwnNodes
@Timeout(400)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full restarts each node with the jar")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RollingEndToEndTest {
  /** A manx.yaml under which Manx acts on every request. */
  static final String MANX =
      """
      plugin: { mode: on, calm-after: 0s }
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        facts: [pending-reads, service-time, work-ahead, slowness]
      """;

  private static final int AS_BUILT = 0;
  private static final int OTHER_FACTS = 1;
  private static final int FOREIGN = 2;

  private static LocalCluster cluster;
  private static MixedNodes nodes;
  private static List<ManxHome> homes;

  @BeforeAll
  static void boot() throws Exception {
    ManxHome home = ManxHome.find();
    Path work = Files.createDirectories(home.root().resolve(".manx/rolling"));
    homes =
        List.of(
            home,
            home.withPlugin(OtherPlugin.ofOtherFacts(work.resolve("other-facts"))),
            home.withPlugin(OtherPlugin.ofAForeignVersion(work.resolve("foreign"))));
    cluster = MixedNodes.boot("rolling", MANX, 2_000_000, false);
    nodes = new MixedNodes(cluster);
    nodes.fill();
  }

  @AfterAll
  static void stop() {
    if (nodes != null) {
      nodes.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void withTheJarOnOneTwoAndThreeOfThreeNodesEveryRowIsRight() {
    CheckedLoad load = nodes.load();
    try (load) {
      load.go(100);
      for (int node = 0; node < 3; node++) {
        cluster.stop(node);
        load.go(100);
        cluster.restart(node, true, homes.get(node));
        nodes.awaitOn(node);
        nodes.awaitWhole();
        load.go(300);
        for (int plugged = 0; plugged <= node; plugged++) {
          awaitMore(plugged, "requests_planned");
          awaitMore(plugged, node < 2 ? "multigets_left_paged" : "multigets_unpaged");
        }
        for (int stock = node + 1; stock < 3; stock++) {
          assertThatIsStock(stock);
        }
      }
    }
    System.out.printf(
        "rolling installation: %d answered, errors %s%n", load.answered(), kinds(load));
    assertThat(load.wrong()).isEmpty();
    assertOnlyRefusedByNodesThatStop(load);
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }

  private static void awaitMore(int node, String counter) {
    long before = nodes.counter(node, counter);
    Waiting.until("more " + counter, () -> nodes.counter(node, counter) > before);
  }

  private static void assertThatIsStock(int node) {
    try {
      nodes.strategy(node);
    } catch (InvalidQueryException e) {
      assertThat(e).hasMessageContaining("manx");
      return;
    }
    throw new AssertionError("node " + (node + 1) + " has the plugin");
  }

  /** A node that drains refuses requests or closes connections, with and without the plugin. */
  private static void assertOnlyRefusedByNodesThatStop(CheckedLoad load) {
    assertThat(load.errors())
        .allMatch(e -> e instanceof OverloadedException || e instanceof ClosedConnectionException);
  }

  private static Map<String, Integer> kinds(CheckedLoad load) {
    Map<String, Integer> kinds = new TreeMap<>();
    for (DriverException error : load.errors()) {
      kinds.merge(error.getClass().getSimpleName(), 1, Integer::sum);
    }
    return kinds;
  }

  @Test
  @Order(2)
  void nodesUnderstandWhatTheyKnowOfEachOthersTagsAndFacts() {
    long tags = nodes.counter(AS_BUILT, "tags_received");
    long ignored = nodes.counter(FOREIGN, "tags_ignored");
    CheckedLoad load = nodes.load();
    try (load) {
      load.go(300);
      Map<String, Object> other = nodes.replica(AS_BUILT, "127.0.0.2");
      assertThat((Long) other.get("facts_age_ms"))
          .as("of facts with a number more")
          .isLessThan(5_000);
      assertThat((Long) other.get("service_time_us")).isPositive();
      assertThat(other.get("service_time_small_us")).as("a number that never came").isNull();
      assertThat(other.get("slowness")).as("a fact of an unknown id").isNull();
      // Conversely, a node that knows fewer values of a fact reads the known ones.
      Map<String, Object> built = nodes.replica(OTHER_FACTS, "127.0.0.1");
      assertThat((Long) built.get("facts_age_ms")).isLessThan(5_000);
      assertThat((Long) built.get("service_time_us")).isPositive();
      for (int known : new int[] {AS_BUILT, OTHER_FACTS}) {
        assertThat(nodes.replica(known, "127.0.0.3").get("facts_age_ms"))
            .as("facts of a foreign version")
            .isNull();
        assertThat(nodes.counter(known, "facts_ignored")).isPositive();
      }
      assertThat(nodes.replica(FOREIGN, "127.0.0.1").get("facts_age_ms")).isNull();
    }
    assertThat(nodes.counter(AS_BUILT, "tags_received")).isGreaterThan(tags);
    assertThat(nodes.counter(FOREIGN, "tags_ignored")).isGreaterThan(ignored);
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.counter(node, "faults")).isZero();
      assertThat(nodes.strategy(node)).containsEntry("mode", "on");
    }
  }

  @Test
  @Order(3)
  void aNodeThatIsUpgradedIsUnderstoodAgain() {
    cluster.stop(FOREIGN);
    cluster.restart(FOREIGN, true);
    nodes.awaitOn(FOREIGN);
    nodes.awaitWhole();
    CheckedLoad load = nodes.load();
    try (load) {
      Waiting.until(
          "its facts arrive",
          () -> nodes.replica(AS_BUILT, "127.0.0.3").get("facts_age_ms") != null);
    }
    assertThat(load.wrong()).isEmpty();
  }

  @Test
  @Order(4)
  void aNodeJoinsAndLeavesUnderLoad() throws Exception {
    CheckedLoad load = nodes.load();
    try (load) {
      load.go(50);
      cluster.join(true);
      nodes.awaitOn(3);
      load.go(300);
      assertThat(nodes.counter(3, "requests_planned")).isPositive();
      Waiting.until(
          "the others know its facts",
          () ->
              nodes.replica(AS_BUILT, "127.0.0.4") != null
                  && nodes.replica(AS_BUILT, "127.0.0.4").get("facts_age_ms") != null);
      OneNode.<Object>jmx(
          cluster.nodes().get(3),
          server ->
              server.invoke(
                  new ObjectName("org.apache.cassandra.db:type=StorageService"),
                  "decommission",
                  new Object[] {true},
                  new String[] {"boolean"}));
      cluster.forgetLast();
      load.go(300);
    }
    System.out.printf("joined and left: %d answered, errors %s%n", load.answered(), kinds(load));
    assertThat(load.wrong()).isEmpty();
    assertOnlyRefusedByNodesThatStop(load);
    for (int i = 0; i < 3; i++) {
      int node = i;
      assertThat(nodes.counter(node, "faults")).isZero();
      Waiting.until(
          "the node that left is forgotten", () -> nodes.replica(node, "127.0.0.4") == null);
      Waiting.until(
          "nothing is outstanding",
          () -> nodes.strategy(node).get("tickets.open").startsWith("0 of"));
    }
  }
}
