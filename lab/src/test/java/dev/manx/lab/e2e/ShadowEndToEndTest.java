/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The targets of reads and the order of service at a node, in shadow mode and on. */
@SharedNodes
class ShadowEndToEndTest extends OnSizedTables {
  private static final String LOR = "strategy: { select: select.lor, facts: [pending-reads] }";
  private static final String BOTTLENECK =
      """
      strategy:
        order: { policy: order.bottleneck, max-wait: 8s }
        oracles: { size: { policy: oracle.size-key-encoded, large-above: 64KiB } }
      """;

  @Test
  void shadowCountsTheReadsThatWouldHaveGoneElsewhereAndActsOnNothing() {
    // Three keys with the same replicas in the same order: stock sends all three to the first.
    // Least outstanding would send one to each, whichever way it breaks ties. So of every three
    // reads exactly two would have gone elsewhere.
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 3);
    keys.forEach(key -> write("rf3", key));
    nodes.set("document", LOR);
    nodes.set("mode", "shadow");
    Map<String, Long> before = counters(0);
    long servedBefore = stored(1, "rf3", "t");
    for (int i = 0; i < 20; i++) {
      assertThat(read(0, "rf3", keys, -1)).containsExactlyInAnyOrderElementsOf(keys);
    }
    assertThat(nodes.table(0, "manx.hooks", "state")).containsEntry("snitch", "stock");
    Map<String, Long> counted = since(before, counters(0));
    assertThat(counted.get("requests_planned")).isEqualTo(20);
    assertThat(counted.get("reads_planned")).isEqualTo(60);
    assertThat(counted.get("select_decisions")).isEqualTo(60);
    assertThat(counted.get("select_changed")).isEqualTo(40);
    assertThat(counted.get("select_applied")).isZero();
    assertThat(counted.get("faults")).isZero();
    // Stock's choice served all of them.
    assertThat(stored(1, "rf3", "t") - servedBefore).isEqualTo(60);
  }

  @Test
  void onSendsThemElsewhere() {
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 3);
    keys.forEach(key -> write("rf3", key));
    nodes.set("document", LOR);
    nodes.set("mode", "on");
    Map<String, Long> before = counters(0);
    long[] served = IntStream.range(0, 3).mapToLong(node -> stored(node, "rf3", "t")).toArray();
    for (int i = 0; i < 20; i++) {
      assertThat(read(0, "rf3", keys, -1)).containsExactlyInAnyOrderElementsOf(keys);
    }
    assertThat(since(before, counters(0)).get("select_applied")).isEqualTo(60);
    // One of each three to every node, but for ties with a local read whose ticket is just closing.
    for (int node = 0; node < 3; node++) {
      assertThat(stored(node, "rf3", "t") - served[node])
          .as("reads served by node %d", node + 1)
          .isBetween(10L, 30L);
    }
  }

  @Test
  void shadowCountsTheDispatchesThatWouldHaveBeenOthersAndActsOnNothing() throws Exception {
    assertThat(dispatchOrder("shadow")).containsExactly("large", "small");
  }

  @Test
  void onServesTheSmallerFirst() throws Exception {
    assertThat(dispatchOrder("on")).containsExactly("small", "large");
  }

  /**
   * Two reads hold both read threads of node 2, one ending well before the other, while a large and
   * then a small one queue behind them. Of the two dispatches exactly one, the first, differs
   * between arrival order and order.bottleneck, and one of the threads serves both, so they end as
   * they were dispatched, seconds apart. A driver may look at a node's system tables meanwhile:
   * then all is done again.
   */
  private List<String> dispatchOrder(String mode) throws Exception {
    nodes.readTimeout(Duration.ofSeconds(20));
    try {
      for (int tries = 1; ; tries++) {
        List<String> ended = undisturbedOrder(mode);
        if (ended != null) {
          return ended;
        }
        assertThat(tries).as("tries among other reads, or on a busy machine").isLessThan(10);
      }
    } finally {
      nodes.usualReadTimeout();
    }
  }

  /**
   * Null if the node got other reads than these, a thread was free before both waited, or one of
   * them waited until arrival order ruled.
   */
  private List<String> undisturbedOrder(String mode) {
    String brief = keysWithPrimary("rf1", 1, 1024, 1).get(0);
    String lengthy = keysWithPrimary("rf1", 1, 614_400, 1).get(0);
    String large = keysWithPrimary("rf1", 1, 131_072, 1).get(0);
    String small = keysWithPrimary("rf1", 1, 2048, 1).get(0);
    for (String key : List.of(brief, lengthy, large, small)) {
      write("rf1", key);
    }
    nodes.set("document", BOTTLENECK);
    nodes.set("mode", mode);
    // Some time for each KiB: the node learns what reads cost, and would soon take all for alike.
    // Much of it, for what a busy machine adds to a read is learned too.
    model(2_000_000_000, 5_000_000);
    Map<String, Long> before = counters(1);
    List<String> ended = new ArrayList<>();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    reads.add(readAsync(0, "rf1", brief));
    reads.add(readAsync(0, "rf1", lengthy));
    Waiting.until("two reads run", () -> served(1, before) >= 2);
    reads.add(readAsync(0, "rf1", large).thenRun(() -> note(ended, "large")));
    Waiting.until("the large read waits", () -> served(1, before) >= 3);
    reads.add(readAsync(0, "rf1", small).thenRun(() -> note(ended, "small")));
    Waiting.until("the small read waits", () -> served(1, before) >= 4);
    boolean inTime = since(before, counters(1)).get("order_decisions") == 0;
    CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
    Map<String, Long> counted = since(before, counters(1));
    if (!inTime || served(1, before) != 4 || counted.get("order_cuts") > 0) {
      return null;
    }
    assertThat(counted.get("order_decisions")).isEqualTo(2);
    assertThat(counted.get("order_changed")).isEqualTo(1);
    return ended;
  }

  private static void note(List<String> ended, String name) {
    synchronized (ended) {
      ended.add(name);
    }
  }
}
