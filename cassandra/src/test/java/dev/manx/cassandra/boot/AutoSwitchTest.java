/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without a node; the test triggers the checks. */
@Timeout(60)
class AutoSwitchTest {
  @TempDir Path folder;

  private Parts parts;
  private Strategy strategy;
  private Switches switches;
  private AutoSwitch watch;
  private volatile boolean noThreads;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void begin() {
    String plugin =
        "plugin: { kill-file: "
            + folder.resolve("manx.off")
            + ", breaker: { failures: 1, window: 1s, retry-after: 1ms } }";
    PluginConfig config =
        PluginConfig.read(ConfigNode.parse("test", plugin), folder.resolve("manx.yaml"));
    parts = new Parts(config, RecordConfig.NONE, () -> watch.breakerOpened());
    strategy = Strategy.parse("test", "strategy: {}", parts.clock);
    switches = new Switches(parts, strategy, "");
    watch =
        new AutoSwitch(
            parts,
            switches,
            new KillFile(() -> parts.config().killFile()),
            now -> {},
            new SwitchRunner(this::thread));
    switches.mode(Mode.ON);
  }

  @AfterEach
  void end() {
    watch.forget();
    switches.off("");
  }

  private Thread thread(Runnable task) {
    if (noThreads) {
      throw new InternalError("no thread could be created");
    }
    return new Thread(task);
  }

  private void fault() {
    parts.guard.fault("a test", new IllegalStateException("nasty"));
    await(() -> switches.trouble().contains("the breaker opened"));
  }

  private void lookUntil(BooleanSupplier condition) {
    await(
        () -> {
          watch.look();
          return condition.getAsBoolean();
        });
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new IllegalStateException("the time is up");
      }
      Thread.onSpinWait();
    }
  }

  private long count(Counter counter) {
    return parts.counters.get(counter);
  }

  @Test
  void manxIsTriedAgainAfterTheBreakerOpened() {
    fault();
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    lookUntil(() -> switches.mode() == Mode.ON && switches.engine() != null);
    assertThat(count(Counter.BREAKER_OPENED)).isEqualTo(1);
    assertThat(count(Counter.BREAKER_HALF_OPENED)).isEqualTo(1);
  }

  /** The failing thread is delayed between opening the breaker and stopping the engine. */
  @Test
  void aFaultThatIsReportedLateLeavesNoModeWithoutAnEngine() {
    assertThat(parts.breaker.failed("a test", parts.clock.nanoTime())).isTrue();
    switches.mode(Mode.ON);
    watch.breakerOpened();
    assertThat(switches.engine()).isNull();
    lookUntil(() -> switches.engine() != null);
    assertThat(switches.mode()).isEqualTo(Mode.ON);
  }

  @Test
  void aFailedRestartOpensTheBreakerAgain() throws InterruptedException {
    fault();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread holder = holder(held, goOn);
    held.await();
    lookUntil(() -> switches.trouble().contains("could not be switched on again"));
    assertThat(count(Counter.BREAKER_OPENED)).isGreaterThanOrEqualTo(2);
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    goOn.countDown();
    holder.join();
    lookUntil(() -> switches.mode() == Mode.ON && switches.engine() != null);
  }

  /** A breaker that closed without a retry would leave Manx off for good. */
  @Test
  void aRetryForWhichNoThreadCanBeStartedOpensTheBreakerAgain() {
    noThreads = true;
    fault();
    lookUntil(() -> count(Counter.BREAKER_HALF_OPENED) == 2);
    assertThat(switches.trouble()).contains("could not be switched on again");
    assertThat(count(Counter.BREAKER_OPENED)).isEqualTo(3);
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    noThreads = false;
    lookUntil(() -> switches.mode() == Mode.ON && switches.engine() != null);
  }

  /**
   * The file is checked four times a second, and so is the result: one check of each is enough. CQL
   * and JMX need no check, and wait for a switch that hangs only as long as for the lock.
   */
  @Test
  void offActsWithinASecondByFileCqlAndJmx() throws Exception {
    assertThat(2 * AutoSwitch.WATCH_MILLIS + ChangeLock.MILLIS).isLessThanOrEqualTo(1_000);
    Files.createFile(parts.config().killFile());
    watch.killFile().look();
    watch.look();
    assertThat(switches.mode()).as("by file, after one look").isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
    Files.delete(parts.config().killFile());
    watch.killFile().look();

    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    switches.mode(Mode.ON);
    Thread holder = holder(held, goOn);
    held.await();
    switches.off("");
    assertThat(switches.mode()).as("by CQL or JMX, while a switch hangs").isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
    goOn.countDown();
    holder.join();
    assertThat(switches.engine()).isNull();
  }

  /** Nothing else would act on the kill file, or remove the hooks of an opened breaker. */
  @Test
  void anOrderThatBlocksInLimitWaitKeepsNoThreadFromSwitchingOff() throws Exception {
    switches.strategy(Strategy.parse("test", "strategy: { order: order.waiting }", parts.clock));
    assertThat(switches.presence().hooks().readStage()).as("in the path").isNotNull();
    CountDownLatch goOn = new CountDownLatch(1);
    WaitingPolicies.limited = () -> await(() -> goOn.getCount() == 0);
    long before = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    try {
      DatabaseDescriptor.setReadRpcTimeout(before / 2);
      for (int look = 0; look < 8; look++) {
        watch.look();
      }
      Files.createFile(parts.config().killFile());
      watch.killFile().look();
      watch.look();
      assertThat(switches.mode()).isEqualTo(Mode.OFF);
      assertThat(count(Counter.FAULTS)).isZero();
    } finally {
      DatabaseDescriptor.setReadRpcTimeout(before);
      WaitingPolicies.limited = () -> {};
      goOn.countDown();
    }
  }

  /** A switch that hangs, with the lock held, until it is released. */
  private Thread holder(CountDownLatch held, CountDownLatch goOn) {
    Thread holder =
        new Thread(
            () ->
                switches.take(
                    mode -> mode,
                    strategy,
                    () -> {
                      held.countDown();
                      await(() -> goOn.getCount() == 0);
                    }));
    holder.start();
    return holder;
  }

  /**
   * As set by JMX updateSnitch; Manx's own snitch is in the path only while decisions take effect.
   */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SHADOW", "ON"})
  void anotherSnitchIsWorkedWithInEveryMode(Mode mode) {
    switches.mode(mode);
    IEndpointSnitch another = new SimpleSnitch();
    DatabaseDescriptor.setEndpointSnitch(another);
    lookUntil(() -> switches.engine() != null && switches.engine().stockSnitch() == another);
    assertThat(switches.mode()).isEqualTo(mode);
    Engine engine = switches.engine();
    for (int look = 0; look < 8; look++) {
      watch.look();
    }
    assertThat(switches.engine()).as("once").isSameAs(engine);
  }

  /** An operator in a hurry must not have to remember it. */
  @Test
  void theModeThatTheBreakerHasEndedIsKnown() {
    switches.mode(Mode.SHADOW);
    assertThat(watch.interrupted()).isEqualTo(Mode.OFF);
    fault();
    assertThat(watch.interrupted()).isEqualTo(Mode.SHADOW);
    assertThat(watch.retried()).isEqualTo(Mode.SHADOW);
    lookUntil(() -> switches.mode() == Mode.SHADOW && switches.engine() != null);
    assertThat(watch.interrupted()).as("it is in that mode again").isEqualTo(Mode.OFF);
    parts.guard.stuck("a test");
    await(() -> switches.trouble().contains("the breaker opened"));
    assertThat(watch.interrupted()).isEqualTo(Mode.SHADOW);
    assertThat(watch.retried()).as("it waits for an operator").isEqualTo(Mode.OFF);
  }

  private String trouble() {
    return new Status(parts, switches, watch.killFile(), "", () -> "", Map::of)
        .rows()
        .get("trouble");
  }

  private void look() {
    watch.killFile().look();
    watch.look();
  }

  @Test
  void theRowTroubleFollowsTheKillFile() throws Exception {
    Path file = parts.config().killFile();
    Files.createFile(file);
    look();
    assertThat(trouble()).isEqualTo("the kill file " + file + " exists");
    Files.delete(file);
    look();
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(trouble())
        .isEqualTo(
            "the kill file "
                + file
                + " switched it off, and is gone; ./manx ctl mode switches it on");
    switches.off("");
    assertThat(trouble()).as("switched off by an operator").isEmpty();
    Files.createFile(file);
    look();
    assertThat(trouble()).as("it cannot be switched on").isEqualTo(watch.killFile().words());
    assertThat(switches.trouble()).as("of the gauge: it should be off").isEmpty();
    switches.off("manx.yaml:3: refused");
    assertThat(trouble()).as("another reason").isEqualTo("manx.yaml:3: refused");
    Files.delete(file);
    look();
    assertThat(trouble()).isEqualTo("manx.yaml:3: refused");
    switches.off("");
    assertThat(trouble()).isEmpty();
  }

  /** Otherwise the node would announce a retry for ever, and its alert would not end. */
  @Test
  void aBreakerWithoutAModeToRestoreIsClosed() throws Exception {
    fault();
    watch.limit(Mode.SHADOW);
    assertThat(parts.breaker.isOpen()).as("it will try shadow").isTrue();
    watch.limit(Mode.OFF);
    assertThat(parts.breaker.isOpen()).as("the file was reloaded with mode: off").isFalse();
    assertThat(switches.trouble()).isEmpty();
    switches.mode(Mode.ON);
    fault();
    Files.createFile(parts.config().killFile());
    watch.killFile().look();
    watch.look();
    assertThat(parts.breaker.isOpen()).isFalse();
    assertThat(switches.trouble()).isEqualTo(watch.killFile().words());
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
  }

  /** The mode has long been restored when a later switch fails. */
  @Test
  void aRestoredModeIsNotRestoredAgainAfterASwitchThatFailed() {
    fault();
    lookUntil(
        () -> switches.mode() == Mode.ON && !parts.breaker.isOpen() && parts.breaker.level() == 0);
    assertThatThrownBy(() -> switches.strategy(null)).isInstanceOf(NullPointerException.class);
    assertThat(switches.trouble()).startsWith("a switch failed: ");
    long tries = count(Counter.BREAKER_HALF_OPENED);
    parts.guard.fault("a late read", new IllegalStateException("nasty"));
    // Twenty times as long as the breaker waits.
    long end = parts.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    lookUntil(() -> parts.clock.nanoTime() - end > 0);
    assertThat(count(Counter.BREAKER_HALF_OPENED)).isEqualTo(tries);
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void theKillFileEndsTheModeThatTheBreakerWouldRestore() throws Exception {
    Files.createFile(parts.config().killFile());
    watch.killFile().look();
    watch.look();
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(switches.engine()).isNull();
    assertThat(switches.trouble()).contains("kill file");
    Files.delete(parts.config().killFile());
    assertThat(watch.killFile().exists()).isFalse();
    switches.mode(Mode.ON);
    watch.look();
    assertThat(switches.mode()).as("the earlier result is forgotten").isEqualTo(Mode.ON);
    fault();
    Files.createFile(parts.config().killFile());
    watch.killFile().look();
    watch.look();
    Files.delete(parts.config().killFile());
    watch.killFile().look();
    for (int look = 0; look < 100; look++) {
      watch.look();
    }
    assertThat(count(Counter.BREAKER_HALF_OPENED)).isZero();
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
  }
}
