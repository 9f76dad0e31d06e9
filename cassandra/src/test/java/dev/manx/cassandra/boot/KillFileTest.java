/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk that does not report whether the kill file exists. The threads are the plugin's own. */
@Timeout(60)
@Tag("slow")
class KillFileTest {
  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicBoolean there = new AtomicBoolean();
  // Seconds counted by the control thread since the disk hangs.
  private final CountDownLatch seconds = new CountDownLatch(2);
  private PluginConfig config;
  private Parts parts;
  private Switches switches;
  private AutoSwitch watch;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() throws InterruptedException {
    config =
        PluginConfig.read(
            ConfigNode.parse(
                "test",
                "plugin: { calm-after: 1ms, breaker: { failures: 1, window: 1s, retry-after: 1ms } }"),
            Path.of("manx.yaml"));
    parts = new Parts(config, RecordConfig.NONE, () -> watch.breakerOpened());
    switches = new Switches(parts, Strategy.parse("test", "strategy: {}", parts.clock), "");
    watch =
        new AutoSwitch(
            parts, switches, new KillFile(config::killFile, path -> askDisk()), now -> second());
    switches.mode(Mode.ON);
    watch.begin();
    hangs.await();
  }

  @AfterEach
  void end() {
    there.set(false);
    answers.countDown();
    watch.forget();
    switches.off("");
  }

  private boolean askDisk() {
    hangs.countDown();
    try {
      answers.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return there.get();
  }

  private void second() {
    if (hangs.getCount() == 0) {
      seconds.countDown();
    }
  }

  @Test
  void aCheckThatFailsLeavesTheLastResultAndIsShown() {
    AtomicReference<Boolean> result = new AtomicReference<>();
    Path path = Path.of("ops", "manx.off");
    KillFile file =
        new KillFile(
            () -> path,
            asked -> {
              if (result.get() == null) {
                throw new IllegalStateException("cannot tell");
              }
              return result.get();
            });
    file.look();
    assertThat(file.wasThere()).as("it switches nothing off").isFalse();
    assertThat(file.describe()).isEqualTo(path + " (cannot tell)");
    assertThatThrownBy(file::exists).hasMessage("cannot tell");
    result.set(true);
    file.look();
    assertThat(file.wasThere()).isTrue();
    assertThat(file.describe()).isEqualTo(path.toString());
    result.set(null);
    file.look();
    assertThat(file.wasThere()).isTrue();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the time is up");
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aDiskThatHangsBlocksNeitherTheWatchNorTheTicks() throws Exception {
    seconds.await();
    assertThat(switches.mode()).as("without an answer there is no kill file").isEqualTo(Mode.ON);
    parts.queues.watching(true);
    parts.queues.seen(parts.clock.nanoTime());
    // Only a tick changes it.
    await(parts.queues::isCalm);
    parts.guard.fault("a test", new IllegalStateException("nasty"));
    await(() -> parts.counters.get(Counter.BREAKER_HALF_OPENED) > 0);
    await(() -> switches.mode() == Mode.ON);
  }

  @Test
  void aPolicyThatDoesNotReturnIsDetectedWhileTheDiskHangs() throws Exception {
    parts.guard.stalls().enter(parts.clock.nanoTime());
    await(() -> switches.trouble().contains("does not return"));
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void aFileThatTheDiskFindsLateSwitchesOff() throws Exception {
    seconds.await();
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    there.set(true);
    answers.countDown();
    await(() -> switches.trouble().equals("the kill file " + config.killFile() + " exists"));
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
  }
}
