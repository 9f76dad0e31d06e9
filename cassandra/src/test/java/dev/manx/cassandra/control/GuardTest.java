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
  private final Breaker breaker = new Breaker(3, 1_000, 5_000_000_000L);
  private final Guard guard = new Guard(counters, breaker, now::get, opened::incrementAndGet);

  @Test
  void opensOnceAfterEnoughFaultsInTheWindow() {
    for (int i = 0; i < 5; i++) {
      guard.fault("a test", new IllegalStateException("boom " + i));
    }
    assertThat(opened.get()).isEqualTo(1);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.describe(now.get()))
        .isEqualTo("open, tries again in 5s: a test: java.lang.IllegalStateException: boom 2");
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

  /** Also across the end of a window that began with the first fault. */
  @Test
  void anyWindowWithEnoughFaultsOpensIt() {
    Breaker ten = new Breaker(10, 10_000, 0);
    assertThat(ten.failed("a test", 0)).isFalse();
    for (int i = 1; i < 10; i++) {
      assertThat(ten.failed("a test", 9_990 + i)).as("fault %d", i).isEqualTo(i == 9);
    }
    Breaker late = new Breaker(10, 10_000, 0);
    assertThat(late.failed("a test", 0)).isFalse();
    for (int i = 1; i <= 10; i++) {
      assertThat(late.failed("a test", 9_995 + i)).as("fault %d", i).isEqualTo(i == 10);
    }
  }

  @Test
  void otherLimitsCountTheFaultsOfTheWindow() {
    Breaker other = new Breaker(1_000_000, 100, 0);
    for (int i = 1; i <= 1_000; i++) {
      assertThat(other.failed("a test", i)).isFalse();
    }
    other.configure(50, 20, 0);
    assertThat(other.failed("a test", 1_001)).as("21 in the window").isFalse();
    other.configure(20, 20, 0);
    assertThat(other.failed("a test", 1_002)).isTrue();
  }

  @Test
  void resetClosesItAndForgets() {
    for (int i = 0; i < 3; i++) {
      guard.fault("a test", new IllegalStateException());
    }
    breaker.reset();
    guard.fault("a test", new IllegalStateException());
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.describe(now.get())).isEqualTo("closed");
  }

  @Test
  void aStackOverflowIsAFaultOfTheCodeThatRanOut() {
    for (int i = 0; i < 3; i++) {
      guard.fault("a test", new StackOverflowError());
    }
    assertThat(counters.get(Counter.FAULTS)).isEqualTo(3);
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void errorsOfTheVmAreRethrown() {
    assertThatThrownBy(() -> guard.fault("a test", new OutOfMemoryError("test")))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(counters.get(Counter.FAULTS)).isZero();
  }

  @Test
  void afterAWhileItIsTriedAgainAndAWindowWithoutFaultsClosesIt() {
    open();
    now.addAndGet(4_999_999_999L);
    assertThat(breaker.tryAgain(now.get())).isFalse();
    now.addAndGet(1);
    assertThat(breaker.tryAgain(now.get())).isTrue();
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.describe(now.get())).startsWith("half-open: a test");
    breaker.settle(now.get());
    assertThat(breaker.describe(now.get())).startsWith("half-open");
    now.addAndGet(1_001);
    breaker.settle(now.get());
    assertThat(breaker.describe(now.get())).isEqualTo("closed");
  }

  @Test
  void theFirstFaultAfterThatOpensItForTwiceAsLongAndAnHourAtMost() {
    open();
    long wait = 5_000_000_000L;
    for (int i = 0; i < 20; i++) {
      now.addAndGet(wait - 1);
      assertThat(breaker.tryAgain(now.get())).as("try %d", i).isFalse();
      now.addAndGet(1);
      assertThat(breaker.tryAgain(now.get())).as("try %d", i).isTrue();
      guard.fault("a test", new IllegalStateException());
      assertThat(breaker.isOpen()).isTrue();
      wait = Math.min(2 * wait, 3_600_000_000_000L);
    }
    assertThat(opened.get()).isEqualTo(21);
  }

  @Test
  void withoutATimeToRetryItWaitsForAnOperator() {
    Breaker patient = new Breaker(1, 1_000, 0);
    assertThat(patient.failed("a test", 0)).isTrue();
    assertThat(patient.tryAgain(Long.MAX_VALUE)).isFalse();
    assertThat(patient.describe(0)).isEqualTo("open until switched on: a test");
  }

  @Test
  void aStuckPolicyOpensItAtOnceAndPermanently() {
    guard.stuck("select.x does not return");
    guard.stuck("select.x does not return");
    assertThat(opened.get()).isEqualTo(1);
    assertThat(counters.get(Counter.POLICIES_STUCK)).isEqualTo(2);
    now.addAndGet(3_600_000_000_000L);
    assertThat(breaker.tryAgain(now.get())).isFalse();
    breaker.reset();
    assertThat(breaker.describe(now.get())).isEqualTo("closed");
  }

  private void open() {
    for (int i = 0; i < 3; i++) {
      guard.fault("a test", new IllegalStateException());
    }
  }

  @Test
  void onlyAHalfOpenBreakerOpensAgain() {
    assertThat(breaker.reopen("no", now.get())).isFalse();
    assertThat(breaker.describe(now.get())).isEqualTo("closed");
    for (int i = 0; i < 3; i++) {
      guard.fault("a test", new IllegalStateException());
    }
    assertThat(breaker.reopen("it is open", now.get())).isFalse();
    now.addAndGet(5_000_000_000L);
    assertThat(breaker.tryAgain(now.get())).isTrue();
    assertThat(breaker.reopen("the switch failed", now.get())).isTrue();
    assertThat(breaker.describe(now.get()))
        .isEqualTo("open, tries again in 10s: the switch failed");
  }
}
