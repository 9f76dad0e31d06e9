/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients that persist a switch are Cassandra's own request threads. */
@Timeout(60)
class DiskCallsTest {
  private static final long LONG_MILLIS = 50_000;

  private final DiskCalls calls = new DiskCalls("test-disk");
  private final AtomicInteger done = new AtomicInteger();

  @Test
  void aDiskThatHangsKeepsNoCallerAndIsNamed() {
    CountDownLatch answers = new CountDownLatch(1);
    assertThatThrownBy(() -> calls.run(() -> await(answers), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the disk has not answered for 1 ms");
    assertThatThrownBy(() -> calls.run(done::incrementAndGet, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("an earlier call");
    answers.countDown();
    calls.run(done::incrementAndGet, LONG_MILLIS);
    assertThat(done).as("the second call was not made").hasValue(1);
  }

  @Test
  void aRefusalReachesTheCaller() {
    ConfigException refused = new ConfigException("f", 0, "k", "v", "w");
    assertThatThrownBy(
            () ->
                calls.run(
                    () -> {
                      throw refused;
                    },
                    LONG_MILLIS))
        .isSameAs(refused);
    calls.run(done::incrementAndGet, LONG_MILLIS);
    assertThat(done).hasValue(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
