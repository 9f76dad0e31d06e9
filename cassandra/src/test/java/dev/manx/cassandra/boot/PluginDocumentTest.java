/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent documents, without a node. */
@Timeout(60)
class PluginDocumentTest {
  private static final String WAITING =
      "strategy: { oracles: { size: { policy: oracle.size-waiting } } }";
  private static final String LOR = "strategy: { select: select.lor }";

  @TempDir private Path folder;
  private final CountDownLatch building = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Path file;
  private Plugin plugin;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() throws Exception {
    file = Files.writeString(folder.resolve("manx.yaml"), LOR + "\nplugin: { mode: off }\n");
    plugin = new Plugin(Start.of(file));
    WaitingPolicies.made =
        () -> {
          building.countDown();
          await(goOn);
        };
  }

  @AfterEach
  void end() {
    goOn.countDown();
    WaitingPolicies.made = () -> {};
    plugin.mode(Mode.OFF);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void oneStrategyIsBuiltAtATime() {
    plugin.mode(Mode.ON);
    CompletableFuture<Void> first = CompletableFuture.runAsync(() -> plugin.document(WAITING));
    await(building);
    for (int again = 0; again < 100; again++) {
      refuses(() -> plugin.document("strategy: manx"));
    }
    refuses(() -> plugin.reload("now"));
    assertThat(plugin.mode()).isEqualTo(Mode.ON);
    plugin.mode(Mode.OFF);
    assertThat(plugin.mode()).as("off waits for no build").isEqualTo(Mode.OFF);
    goOn.countDown();
    first.join();
    assertThat(plugin.status()).containsEntry("policy.oracles.size", "oracle.size-waiting");
    plugin.document(LOR);
    assertThat(plugin.status()).containsEntry("policy.select", "select.lor");
  }

  @Test
  void aBuildThatFailsLetsTheNextOneIn() {
    goOn.countDown();
    WaitingPolicies.made =
        () -> {
          throw new OutOfMemoryError("of a test");
        };
    assertThatThrownBy(() -> plugin.document(WAITING)).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> plugin.document("strategy: [")).isInstanceOf(ConfigException.class);
    plugin.document("strategy: manx");
    plugin.reload("now");
    assertThat(plugin.status()).containsEntry("policy.select", "select.lor");
  }

  @Test
  void everySwitchOfAnOperatorIsCounted() {
    goOn.countDown();
    assertThat(plugin.status()).containsEntry("switches", "0");
    plugin.mode(Mode.ON);
    plugin.mode(Mode.ON);
    plugin.mode(Mode.OFF);
    plugin.mode(Mode.OFF);
    assertThat(plugin.status()).as("also to the present value").containsEntry("switches", "4");
    plugin.document("strategy: manx");
    plugin.canary("0.5");
    plugin.reload("now");
    assertThat(plugin.status()).containsEntry("switches", "7");
    plugin.reload("check");
    assertThatThrownBy(() -> plugin.document("strategy: [")).isInstanceOf(ConfigException.class);
    assertThat(plugin.status()).as("nothing was switched").containsEntry("switches", "7");
  }

  private static void refuses(Runnable change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("another switch is under way; try again");
  }
}
