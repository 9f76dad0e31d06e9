/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.TimedRun.Entry;
import dev.manx.lab.kind.TwoSteps.Step;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens at fixed times of a turn. */
@Timeout(60)
class TimedRunTest {
  private static final long MILLI = 1_000_000;
  private static final long HOUR = 3_600_000 * MILLI;

  private static Entry entry(long at, long during, Step first, Step last) {
    return new Entry(at, during, new TwoSteps("backend pages squeezed", first, last));
  }

  static Stream<Exception> failures() {
    return Stream.of(new IOException("no such file"), new IllegalStateException("no such group"));
  }

  private static Step failing(Exception failure) {
    return () -> {
      if (failure instanceof IOException io) {
        throw io;
      }
      throw (RuntimeException) failure;
    };
  }

  /** A turn whose disturbance failed was not disturbed as described. */
  @ParameterizedTest
  @MethodSource("failures")
  void anyFailureOfAStepFailsTheTurn(Exception failure) {
    for (Entry entry :
        List.of(entry(0, 1, failing(failure), () -> {}), entry(0, 1, () -> {}, failing(failure)))) {
      try (TimedRun run = new TimedRun(List.of(entry))) {
        run.begin(System.nanoTime());
        assertThatThrownBy(run::check)
            .isInstanceOf(RunException.class)
            .hasMessage("backend pages squeezed: " + failure.getMessage());
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStepThatBlocksDelaysNoOtherEntry() {
    CountDownLatch others = new CountDownLatch(2);
    Entry blocking = entry(0, 1, () -> await(others), () -> {});
    Entry other = entry(MILLI, 1, others::countDown, others::countDown);
    try (TimedRun run = new TimedRun(List.of(blocking, other))) {
      run.begin(System.nanoTime());
      assertThat(run.check()).allMatch(span -> span.fromNanos() <= span.toNanos()).hasSize(2);
    }
  }

  @Test
  void closingEndsWhatHasBegunAndBeginsNothing() {
    List<String> done = new CopyOnWriteArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    Step first =
        () -> {
          done.add("first");
          begun.countDown();
        };
    Entry present = entry(0, HOUR, first, () -> done.add("last"));
    Entry later = entry(HOUR, HOUR, () -> done.add("too early"), () -> done.add("too early"));
    try (TimedRun run = new TimedRun(List.of(present, later))) {
      run.begin(System.nanoTime());
      await(begun);
    }
    assertThat(done).containsExactly("first", "last");
  }
}
