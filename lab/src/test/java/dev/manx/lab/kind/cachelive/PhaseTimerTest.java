/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.RunException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A turn whose disturbance failed was not disturbed as described. */
@Timeout(60)
class PhaseTimerTest {
  static Stream<Exception> failures() {
    return Stream.of(new IOException("no such file"), new IllegalStateException("no such group"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anyFailureOfADisturbanceFailsTheTurn(Exception failure) throws Exception {
    FaultSwitch none =
        new FaultSwitch(new BackendFaults(Optional.empty(), Optional.empty(), Optional.empty()));
    try (PhaseTimer timer = new PhaseTimer(Optional.empty(), none)) {
      timer.check();
      timer.at(
          0,
          () -> {
            if (failure instanceof IOException io) {
              throw io;
            }
            throw (RuntimeException) failure;
          });
      CountDownLatch after = new CountDownLatch(1);
      timer.at(TimeUnit.MILLISECONDS.toNanos(1), after::countDown);
      after.await();
      assertThatThrownBy(timer::check)
          .isInstanceOf(RunException.class)
          .hasMessageContaining(failure.getMessage());
    }
  }
}
