/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.strategy.Strategy;
import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a node: which monitors of Cassandra's a switch waits for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PresenceTest {
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private Switches switches;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() {
    Parts parts = new Parts(TestConfigs.defaults(), RecordConfig.NONE, () -> {});
    Strategy strategy = Strategy.parse("test", "strategy: {}", parts.clock);
    switches = new Switches(parts, strategy, "");
  }

  @AfterEach
  void end() {
    switches.off("");
  }

  /** As Cassandra does while the node joins the ring or drains. */
  private Thread busyNode() throws InterruptedException {
    Thread node =
        new Thread(
            () -> {
              synchronized (StorageService.instance) {
                held.countDown();
                try {
                  done.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    node.start();
    held.await();
    return node;
  }

  @Test
  void noSwitchWaitsForANodeThatJoinsOrDrains() throws InterruptedException {
    Thread node = busyNode();
    for (int i = 0; i < 2; i++) {
      switches.mode(Mode.ON);
      assertThat(switches.presence().hooks().states().isInstalled(Hook.HOLDS)).isTrue();
      switches.off("");
      assertThat(switches.presence().hooks().states().isInstalled(Hook.HOLDS)).isFalse();
    }
    done.countDown();
    node.join();
  }

  @Test
  void aSwitchToOffDoesNotWaitIfTheNodeBeganToDrainMeanwhile() throws InterruptedException {
    switches.mode(Mode.ON);
    assertThat(switches.presence().hooks().states().isInstalled(Hook.HOLDS)).isTrue();
    Thread node = busyNode();
    switches.off("");
    done.countDown();
    node.join();
    assertThat(switches.presence().hooks().states().isInstalled(Hook.HOLDS)).isFalse();
  }
}
