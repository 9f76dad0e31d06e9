/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.idle.AdaptiveIdle.Growth;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import dev.manx.policy.strategy.Policies;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The promises of every policy of the family, and the refusal of bad settings. */
@Tag("contract")
class IdleContractTest {
  static List<String> names() {
    return Policies.family("idle").stream().map(PolicyInfo::name).toList();
  }

  private static IdleSpec read(String yaml, Host host) {
    return IdleSpec.read(ConfigNode.parse("test.yaml", "idle: " + yaml).at("idle"), host);
  }

  private static IdleSpec harness(String yaml) {
    return read(yaml, Host.harness(() -> 0));
  }

  @Test
  void theFamilyIsWhatTheDesignNames() {
    assertThat(names()).containsExactly("idle.spin", "idle.yield", "idle.park", "idle.adaptive");
  }

  @ParameterizedTest
  @MethodSource("names")
  void writesItselfWithEveryDefault(String name) {
    IdleSpec spec = harness(name);
    assertThat(spec.name()).isEqualTo(name);
    assertThat(harness(spec.written()).written()).isEqualTo(spec.written());
    assertThat(spec.newStrategy()).isNotSameAs(spec.newStrategy());
  }

  /** On real threads: a thread that waits for another sees its signal, whatever the strategy. */
  @ParameterizedTest
  @MethodSource("names")
  void aConditionThatAnotherThreadFulfilsIsSeen(String name) throws InterruptedException {
    AtomicBoolean published = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              ThreadWaiter.INSTANCE.park(TimeUnit.MILLISECONDS.toNanos(5));
              published.set(true);
            });
    other.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    assertThat(harness(name).newStrategy().await(published::get, System::nanoTime, deadline))
        .isTrue();
    other.join();
  }

  /** Whatever its settings, it leaves the core after a bounded number of checks. */
  @Test
  void adaptiveNeverSpinsForLongAndNeverSleepsForLonger() {
    for (long seed = 1; seed <= 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int spins = random.nextInt(200);
      int yields = random.nextInt(50);
      long first = 1 + random.nextLong(1_000_000);
      long max = first + random.nextLong(10_000_000);
      Growth growth = random.nextBoolean() ? Growth.ADD : Growth.DOUBLE;
      FakeWaiter waiter = new FakeWaiter();
      AdaptiveIdle idle = new AdaptiveIdle(waiter, spins, yields, first, growth, max);
      for (int wait = 0; wait < 5; wait++) {
        idle.reset();
        waiter.onCore = 0;
        int parked = waiter.parks.size();
        int calls = random.nextInt(2_000);
        for (int call = 0; call < calls; call++) {
          idle.idle();
        }
        List<Long> sleeps = waiter.parks.subList(parked, waiter.parks.size());
        assertThat(sleeps).as("seed %d", seed).hasSize(Math.max(0, calls - spins - yields));
        assertThat(sleeps).as("seed %d", seed).isSorted().allMatch(s -> s >= first && s <= max);
      }
      assertThat(waiter.longestOnCore).as("seed %d", seed).isLessThanOrEqualTo(spins);
    }
  }

  @Test
  void aNodeRefusesToSpin() {
    assertThatThrownBy(() -> read("idle.spin", Host.node(() -> 0)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("test.yaml:1: idle = 'idle.spin' is invalid")
        .hasMessageContaining(Ability.UNBOUNDED_SPIN.words())
        .hasMessageContaining("only in the contention harness");
    for (String name : List.of("idle.yield", "idle.park", "idle.adaptive")) {
      assertThat(read(name, Host.node(() -> 0)).name()).isEqualTo(name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "idle.nap | one of idle.spin, idle.yield, idle.park, idle.adaptive",
        "order.fifo | one of idle.spin",
        "{ policy: idle.spin, spins: 3 } | unknown key",
        "{ policy: idle.park, park-for: 2s } | a duration from 1ns to 1ms",
        "{ policy: idle.adaptive, growth: triple } | one of double, add",
        "{ policy: idle.adaptive, spins: 20000 } | from 0 to 10000",
        "{ policy: idle.adaptive, first-park: 2ms } | first-park is longer than max-park"
      })
  void refusesBadSettings(String yaml, String allowed) {
    assertThatThrownBy(() -> harness(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(allowed);
  }
}
