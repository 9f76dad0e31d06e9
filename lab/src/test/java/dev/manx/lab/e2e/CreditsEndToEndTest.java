/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import dev.manx.local.cluster.LocalCluster;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/** Preset {@code brb-credits} on three nodes: the loss of the controller costs no read. */
@OwnNodes
@Isolated
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full kills controllers of credits")
class CreditsEndToEndTest {
  private static final int NODES = 3;
  private static final String PRESET =
      "plugin: { mode: on, calm-after: 0s }\nstrategy: brb-credits\n";

  // Nearly every second read of a request to the same node has to wait.
  private static final String SCARCE =
      """
      strategy:
        order: order.bottleneck
        fanout: { policy: fanout.brb-credits, prefer: least-work, interval: 300ms, depth: 100us }
        oracles: { size: oracle.size-bloom }
        facts: [pending-reads, service-time]
      """;

  private static LocalCluster cluster;
  private static MixedNodes nodes;

  @BeforeAll
  static void boot() throws Exception {
    cluster = MixedNodes.boot("credits", PRESET, 2_000_000, true);
    nodes = new MixedNodes(cluster);
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
  void oneOfTheNodesGrantsCreditsAndReadsWaitForThem() {
    for (int node = 0; node < NODES; node++) {
      nodes.awaitOn(node);
    }
    nodes.fill();
    nodes.awaitWhole();
    // So that a node's death costs no read that no other node could answer.
    nodes.session().execute("ALTER TABLE m.t WITH speculative_retry = '50ms'");
    loaded(() -> awaitOneController(0, 1, 2));
    for (int node = 0; node < NODES; node++) {
      nodes.set(node, "document", SCARCE);
    }
    loaded(
        () -> {
          awaitOneController(0, 1, 2);
          awaitMore("credit_grants_received", 0, 1, 2);
          awaitMore("reads_held", 0, 1, 2);
        });
    print("three nodes", 0, 1, 2);
  }

  @Test
  @Order(2)
  void offAndOnAtTheControllerCostsNoReadAndAnotherOneTakesOver() {
    int first = awaitOneController(0, 1, 2);
    int[] others = IntStream.range(0, NODES).filter(node -> node != first).toArray();
    loaded(
        () -> {
          nodes.set(first, "mode", "off");
          assertThat(awaitOneController(others)).isNotEqualTo(first);
          // Every read has a replica that needs no credit, so it is random whether a read waits.
          awaitMore("credit_grants_received", others);
          nodes.set(first, "mode", "on");
          awaitOneController(0, 1, 2);
          awaitMore("credit_grants_received", 0, 1, 2);
          nodes.set(first, "mode", "shadow");
          assertThat(awaitOneController(others)).isNotEqualTo(first);
          nodes.set(first, "mode", "on");
          awaitOneController(0, 1, 2);
        });
    for (int node = 0; node < NODES; node++) {
      nodes.set(node, "mode", "off");
    }
    for (int i = 0; i < NODES; i++) {
      int node = i;
      Waiting.until(
          "no read waits", () -> nodes.strategy(node).get("holds.reads").startsWith("0 of"));
      assertThat(nodes.strategy(node).get("credits.controller")).isEmpty();
    }
    loaded(() -> {});
    for (int node = 0; node < NODES; node++) {
      nodes.set(node, "mode", "on");
    }
    print("off and on", 0, 1, 2);
  }

  @Test
  @Order(3)
  void theControllersDeathCostsNoReadAndItComesBackWithoutManxAndWithIt() throws Exception {
    int first = awaitOneController(0, 1, 2);
    int[] others = IntStream.range(0, NODES).filter(node -> node != first).toArray();
    // The client does not retry, so requests end with their coordinator.
    loaded(
        true,
        () -> {
          cluster.kill(first);
          assertThat(awaitOneController(others)).isNotEqualTo(first);
          awaitMore("credit_grants_received", others);
          awaitMore("reads_held", others);
        });
    cluster.restart(first, false);
    nodes.awaitWhole();
    loaded(
        () -> {
          // The two need credit at each other, and none at the third.
          assertThat(awaitOneController(others)).isNotEqualTo(first);
          awaitMore("credit_grants_received", others);
        });
    print("beside a stock node", others);
    cluster.kill(first);
    cluster.restart(first, true);
    nodes.awaitOn(first);
    nodes.awaitWhole();
    nodes.set(first, "document", SCARCE);
    loaded(
        () -> {
          awaitOneController(0, 1, 2);
          awaitMore("credit_grants_received", 0, 1, 2);
        });
    for (int node = 0; node < NODES; node++) {
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }

  private static void loaded(Runnable meanwhile) {
    loaded(false, meanwhile);
  }

  /**
   * @param killed whether a coordinator's connections may break
   */
  private static void loaded(boolean killed, Runnable meanwhile) {
    CheckedLoad load = nodes.load();
    try (load) {
      load.go(100);
      meanwhile.run();
      load.go(200);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors())
        .filteredOn(error -> !killed || !(error instanceof ClosedConnectionException))
        .extracting(DriverException::toString)
        .isEmpty();
  }

  /** Returns the node that all given nodes follow as controller, once they agree. */
  private static int awaitOneController(int... some) {
    int[] found = new int[1];
    Waiting.until(
        "there is one controller",
        () -> {
          found[0] = controller(some[0]);
          return IntStream.of(some).anyMatch(node -> node == found[0])
              && IntStream.of(some).allMatch(node -> controller(node) == found[0]);
        });
    return found[0];
  }

  /** The node that one of them follows; negative for none. */
  private static int controller(int node) {
    String address = nodes.strategy(node).get("credits.controller");
    for (int i = 0; i < NODES; i++) {
      if (address.equals(cluster.nodes().get(i).address() + ":7000")) {
        return i;
      }
    }
    return -1;
  }

  private static void awaitMore(String counter, int... some) {
    for (int node : some) {
      long before = nodes.counter(node, counter);
      Waiting.until(
          "more " + counter + " of node " + node, () -> nodes.counter(node, counter) > before);
    }
  }

  private static void print(String when, int... some) {
    for (int node : some) {
      System.out.printf(
          "credits, %s: node %d held %d reads, %d overdue, %d cut; %d grants, %d controllers%n",
          when,
          node,
          nodes.counter(node, "reads_held"),
          nodes.counter(node, "holds_overdue"),
          nodes.counter(node, "holds_cut"),
          nodes.counter(node, "credit_grants_received"),
          nodes.counter(node, "credit_controllers"));
    }
  }
}
