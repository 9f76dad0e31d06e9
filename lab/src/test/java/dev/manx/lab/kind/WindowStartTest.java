/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.LoadProgress;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The moment at which a turn's counters are read. */
class WindowStartTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong planned = new AtomicLong();

  private static LoadProgress look(long sinceWindowNanos) {
    return new LoadProgress(
        0, sinceWindowNanos, 10 * SECOND, 0, 0, 0, 0, 0, 0, SECOND, new Histogram(3));
  }

  @Test
  void theWarmUpIsNotCounted() {
    WindowStart<Long> start = new WindowStart<>(2 * SECOND, planned::get);
    planned.set(50);
    start.accept(look(-SECOND));
    assertThat(start.value()).isNull();
    planned.set(100);
    start.accept(look(20));
    planned.set(150);
    start.accept(look(SECOND + 20));
    assertThat(start.value()).isEqualTo(100);
  }

  @Test
  void withoutAWarmUpTheWindowBeginsAtOnce() {
    WindowStart<Long> start = new WindowStart<>(0, planned::get);
    planned.set(50);
    start.accept(look(SECOND));
    assertThat(start.value()).isZero();
  }
}
