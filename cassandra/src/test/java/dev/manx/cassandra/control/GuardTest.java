/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuardTest {
  private final Counters counters = new Counters();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger opened = new AtomicInteger();
  private final Breaker breaker = new Breaker(3, 1_000);
  private final Guard guard = new Guard(counters, breaker, now::get, opened::incrementAndGet);

  @Test
  void opensOnceAfterEnoughFaultsInTheWindow() {
    for (int i = 0; i < 5; i++) {
      guard.fault("a test", new IllegalStateException("boom " + i));
    }
    assertThat(opened.get()).isEqualTo(1);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.describe())
        .isEqualTo("open: a test: java.lang.IllegalStateException: boom 2");
    assertThat(counters.get(Counter.FAULTS)).isEqualTo(5);
    assertThat(counters.get(Counter.BREAKER_OPENED)).isEqualTo(1);
  }

  @Test
  void faultsFarApartDoNotOpenIt() {
    for (int i = 0; i < 50; i++) {
      now.addAndGet(501);
      guard.fault("a test", new IllegalStateException());
      now.addAndGet(501);
    }
    assertThat(breaker.isOpen()).isFalse();
    assertThat(opened.get()).isZero();
  }

  @Test
  void resetClosesItAndForgets() {
    for (int i = 0; i < 3; i++) {
      guard.fault("a test", new IllegalStateException());
    }
    breaker.reset();
    guard.fault("a test", new IllegalStateException());
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.describe()).isEqualTo("closed");
  }

  @Test
  void errorsOfTheVmAreThrownOn() {
    assertThatThrownBy(() -> guard.fault("a test", new OutOfMemoryError("test")))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(counters.get(Counter.FAULTS)).isZero();
  }
}
