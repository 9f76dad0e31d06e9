/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.LoadProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The moment at which a turn's counters are read. */
class WindowCountersTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong planned = new AtomicLong();
  private final List<Long> read = new ArrayList<>();

  private Map<String, Map<String, Long>> nodes() {
    read.add(planned.get());
    return Map.of("10.0.0.1", Map.of("requests_planned", planned.get()));
  }

  private static LoadProgress look(long sinceWindowNanos) {
    return new LoadProgress(
        0, sinceWindowNanos, 10 * SECOND, 0, 0, 0, 0, 0, 0, SECOND, new Histogram(3));
  }

  @Test
  void theWarmUpIsNotCounted() {
    WindowCounters counters = new WindowCounters(2 * SECOND, this::nodes);
    planned.set(50);
    counters.accept(look(-SECOND));
    assertThat(read).isEmpty();
    planned.set(100);
    counters.accept(look(20));
    planned.set(150);
    counters.accept(look(SECOND + 20));
    assertThat(read).containsExactly(100L);
    assertThat(counters.atStart()).isEqualTo(Map.of("10.0.0.1", Map.of("requests_planned", 100L)));
  }

  @Test
  void withoutAWarmUpTheWindowBeginsAtOnce() {
    WindowCounters counters = new WindowCounters(0, this::nodes);
    planned.set(50);
    counters.accept(look(SECOND));
    assertThat(read).containsExactly(0L);
    assertThat(counters.atStart()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 500_000_000L, 2_500_000_000L, 4_900_000_000L, 600_000_000_001L})
  void reportsAreAtMostASecondApartAndDivideTheWindow(long windowNanos) {
    long every = WindowCounters.everyNanos(windowNanos);
    assertThat(every).isBetween(1L, SECOND);
    assertThat(windowNanos % every).isLessThanOrEqualTo(windowNanos / every);
  }
}
