/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Preset {@code manx-tied} on nodes of which one loses the plugin and gets it back, under load. */
@OwnNodes
@Timeout(400)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full boots nodes of its own beside a stock one")
class TiedBesideStockEndToEndTest {
  private static final int STOCK = 2;
  private static final String MANX =
      "plugin: { mode: on, calm-after: 0s }\n" + TiedOnBusyCores.DOCUMENT;

  private static LocalCluster cluster;
  private static MixedNodes nodes;

  @BeforeAll
  static void boot() throws Exception {
    cluster = MixedNodes.boot("tied", MANX, 8_000_000, true);
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

  private static long sum(String counter, int some) {
    long sum = 0;
    for (int node = 0; node < some; node++) {
      sum += nodes.counter(node, counter);
    }
    return sum;
  }

  private static void awaitMore(String counter, int some) {
    long before = sum(counter, some);
    Waiting.until("more " + counter, () -> sum(counter, some) > before);
  }

  private static void loaded(Runnable meanwhile) {
    CheckedLoad load = nodes.load();
    try (load) {
      meanwhile.run();
      load.go(200);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
  }

  @Test
  void aStockPeerCostsNoReadAndGetsNoCopies() throws Exception {
    for (int node = 0; node < 3; node++) {
      nodes.awaitOn(node);
    }
    nodes.fill();
    nodes.awaitWhole();
    loaded(() -> awaitMore("copies_started", 3));
    cluster.kill(STOCK);
    cluster.restart(STOCK, false);
    nodes.awaitWhole();
    // Copies between the two others continue; those for the stock node are answered by it in its
    // own way, until the others know that it is without Manx.
    loaded(() -> awaitMore("copies_started", STOCK));
    Waiting.until(
        "they know that it has no Manx",
        () ->
            !Boolean.TRUE.equals(nodes.replica(0, "127.0.0.3").get("with_manx"))
                && !Boolean.TRUE.equals(nodes.replica(1, "127.0.0.3").get("with_manx")));
    loaded(() -> {});
    System.out.println(
        "tied copies beside a stock node: passed on "
            + sum("copies_passed_on", STOCK)
            + ", started "
            + sum("copies_started", STOCK)
            + ", both ran "
            + sum("copies_both_ran", STOCK));
    cluster.kill(STOCK);
    cluster.restart(STOCK, true);
    nodes.awaitOn(STOCK);
    nodes.awaitWhole();
    loaded(() -> awaitMore("copies_started", 3));
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }
}
