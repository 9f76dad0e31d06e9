/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class VmErrorsTest {
  private final Counters counters = new Counters();
  private final Breaker breaker =
      new Breaker(3, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(1));
  private final Guard guard = new Guard(counters, breaker, () -> 0, () -> {});

  @BeforeAll
  static void settings() {
    DatabaseDescriptor.clientInitialization(false);
  }

  @Test
  void anErrorOfTheVmEndsNoThreadAndOpensTheBreakerPermanently() {
    assertThatCode(() -> VmErrors.fault(guard, "a test", new InternalError("test")))
        .doesNotThrowAnyException();
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.tryAgain(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void anythingElseIsAFault() {
    VmErrors.fault(guard, "a test", new IllegalStateException("test"));
    assertThat(counters.get(Counter.FAULTS)).isEqualTo(1);
    assertThat(breaker.isOpen()).isFalse();
  }
}
