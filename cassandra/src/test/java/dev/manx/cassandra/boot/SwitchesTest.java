/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.strategy.Strategy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a node, so no request reaches the hooks; tests which engine and mode are in force. */
@Timeout(60)
class SwitchesTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final CountDownLatch underWay = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Parts parts;
  private Strategy strategy;
  private Switches switches;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() {
    parts = new Parts(TestConfigs.defaults(), RecordConfig.NONE, () -> {});
    strategy = Strategy.parse("test", "strategy: {}", parts.clock);
    switches = new Switches(parts, strategy, "");
  }

  @AfterEach
  void end() {
    switches.off("");
  }

  /** A change to on that waits, with the lock held, until it is released. */
  private Thread change() throws InterruptedException {
    Thread change =
        new Thread(
            () ->
                switches.take(
                    mode -> Mode.ON,
                    strategy,
                    () -> {
                      underWay.countDown();
                      await(goOn);
                    }));
    change.start();
    await(underWay);
    return change;
  }

  /** A tick that began before the switch may end after it; the next one mends that. */
  private void awaitCalm() {
    while (!parts.queues.isCalm()) {
      Thread.onSpinWait();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aChangeToOnActs() throws InterruptedException {
    Thread change = change();
    goOn.countDown();
    change.join();
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    assertThat(switches.engine()).isNotNull();
  }

  @Test
  void aNodeWhoseReadsDoNotWaitBeginsCalm() {
    parts.queues.calmAfter(HOUR_NANOS, parts.clock.nanoTime());
    switches.mode(Mode.ON);
    awaitCalm();
  }

  @Test
  void aNodeWhoseReadsWaitDoesNotBeginCalm() throws InterruptedException {
    parts.queues.calmAfter(HOUR_NANOS, parts.clock.nanoTime());
    ExecutorPlus stage = Stage.READ.executor();
    int threads = stage.getMaximumPoolSize();
    CountDownLatch done = new CountDownLatch(2);
    stage.setMaximumPoolSize(1);
    try {
      stage.execute(
          () -> {
            underWay.countDown();
            await(goOn);
            done.countDown();
          });
      await(underWay);
      stage.execute(done::countDown);
      assertThat(stage.getPendingTaskCount()).isEqualTo(1);
      switches.mode(Mode.ON);
      assertThat(parts.queues.isCalm()).isFalse();
    } finally {
      goOn.countDown();
      stage.setMaximumPoolSize(threads);
    }
    await(done);
    switches.off("");
    switches.mode(Mode.ON);
    // None waits any more.
    awaitCalm();
  }

  @Test
  void aQueueThatWasSeenIsNotForgottenByAnotherStrategy() {
    parts.queues.calmAfter(HOUR_NANOS, parts.clock.nanoTime());
    switches.mode(Mode.SHADOW);
    awaitCalm();
    parts.queues.seen(parts.clock.nanoTime());
    switches.mode(Mode.ON);
    assertThat(parts.queues.isCalm()).isFalse();
  }

  @Test
  void aModeThatAnOperatorEndedIsNotRestored() {
    switches.resume(() -> Mode.OFF);
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
  }

  @Test
  void aModeThatAnOperatorSetMeanwhileIsKept() {
    switches.mode(Mode.SHADOW);
    switches.resume(() -> Mode.ON);
    assertThat(switches.mode()).isEqualTo(Mode.SHADOW);
  }

  @Test
  void aSwitchThatFailsHalfwayLeavesManxOffAndReportsTheReason() {
    switches.mode(Mode.ON);
    assertThatThrownBy(
            () ->
                switches.take(
                    mode -> {
                      throw new IllegalStateException("refused");
                    },
                    strategy,
                    () -> {}))
        .hasMessage("refused");
    assertThat(switches.mode()).as("refused before anything was changed").isEqualTo(Mode.ON);
    assertThatThrownBy(() -> switches.strategy(null)).isInstanceOf(NullPointerException.class);
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
    assertThat(switches.trouble()).startsWith("a switch failed: ");
  }

  @Test
  void offWinsOverTheReturnOfAnInterruptedMode() {
    // The switch to off falls between the begin of the return and its effect.
    switches.resume(
        () -> {
          switches.off("");
          return Mode.ON;
        });
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
  }

  @Test
  void offWinsOverAChangeThatIsUnderWay() throws InterruptedException {
    Thread change = change();
    switches.off("");
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    goOn.countDown();
    change.join();
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
  }
}
