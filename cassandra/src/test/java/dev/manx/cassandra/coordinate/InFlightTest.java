/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InFlightTest {
  private final InFlight flight = new InFlight(100, 4_000);

  @Test
  void keysAndBytesAreBoundEach() {
    for (int request = 0; request < 3; request++) {
      assertThat(flight.enter(20, 1_000)).isTrue();
    }
    assertThat(flight.enter(41, 1)).as("keys").isFalse();
    assertThat(flight.enter(1, 600)).isTrue();
    assertThat(flight.enter(1, 401)).as("bytes").isFalse();
    assertThat(flight.enter(39, 400)).as("exactly full").isTrue();
    assertThat(flight.enter(1, 0)).isFalse();
    flight.leave(60, 3_000);
    assertThat(flight.keys()).isEqualTo(40);
    assertThat(flight.bytes()).isEqualTo(1_000);
    flight.leave(40, 1_000);
    assertThat(flight.keys()).isZero();
    assertThat(flight.bytes()).isZero();
  }

  @Test
  void aRequestLargerThanTheBoundNeverEnters() {
    assertThat(flight.enter(101, 1)).isFalse();
    assertThat(flight.enter(1, Long.MAX_VALUE)).isFalse();
    assertThat(flight.keys()).isZero();
    assertThat(flight.bytes()).isZero();
  }

  @Test
  void oneRequestGetsAQuarterOfTheBytesAtMost() {
    assertThat(flight.enter(1, 1_001)).isFalse();
    assertThat(flight.keys()).isZero();
    assertThat(flight.enter(1, 1_000)).isTrue();
  }

  @Test
  void withoutForecastsAQuarterOfEachBoundMayBeInUse() {
    assertThat(flight.enterIdle(10, 1_000)).isTrue();
    assertThat(flight.enterIdle(10, 1)).as("bytes").isFalse();
    flight.leave(10, 1_000);
    assertThat(flight.enterIdle(26, 1)).as("keys").isFalse();
    assertThat(flight.enterIdle(1, Long.MAX_VALUE)).as("unknown").isFalse();
    assertThat(flight.enterIdle(25, 500)).isTrue();
    assertThat(flight.enter(20, 900)).as("as forecast").isTrue();
    flight.leave(45, 1_400);
    assertThat(flight.keys()).isZero();
    assertThat(flight.bytes()).isZero();
  }

  @Test
  void boundsAreAtLeastOne() {
    assertThatThrownBy(() -> new InFlight(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new InFlight(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Timeout(60)
  void theBoundsHoldUnderThreadsAndAllReturnsToZero() throws InterruptedException {
    AtomicInteger beyond = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(t);
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  int keys = random.nextInt(1, 60);
                  int bytes = random.nextInt(1, 1_100);
                  if (flight.enter(keys, bytes)) {
                    beyond.addAndGet(flight.keys() > 100 || flight.bytes() > 4_000 ? 1 : 0);
                    flight.leave(keys, bytes);
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(beyond.get()).isZero();
    assertThat(flight.keys()).isZero();
    assertThat(flight.bytes()).isZero();
  }
}
