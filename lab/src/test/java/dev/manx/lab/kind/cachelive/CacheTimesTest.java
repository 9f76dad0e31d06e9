/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.lab.experiment.Measured;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CacheTimesTest {
  private static final long MILLI = 1_000_000;

  private final CacheTimes times = new CacheTimes();

  private Map<String, Double> results() {
    Measured measured = new Measured(0, 1);
    times.into(measured);
    return measured.metrics().stream()
        .collect(Collectors.toMap(m -> (m.name() + " " + m.params()).strip(), m -> m.value()));
  }

  /** Nineteen decisions of 4 MiB in 0.4 s, and one of 8 MiB in 6 s. */
  @Test
  void decisionsAreCountedByTheirTime() {
    for (int i = 0; i < 19; i++) {
      times.moved(4 << 20, 400 * MILLI);
    }
    times.moved(8 << 20, 6_000 * MILLI);
    Map<String, Double> results = results();
    assertThat(results)
        .containsEntry("moves", 20.0)
        .containsEntry("moved_mib", 84.0)
        .containsEntry("move_within_5s_pct", 95.0);
    assertThat(results.get("move_p95_ms")).isEqualTo(400, within(4.0));
    assertThat(results.get("move_p95_ms_per_mib")).isEqualTo(100, within(1.0));
    times.moved(1 << 16, 6_000 * MILLI);
    assertThat(results().get("move_p95_ms_per_mib"))
        .as("less than a MiB counts as one; two of 21 are above: 750 ms and 6 s")
        .isEqualTo(750, within(8.0));
  }

  @Test
  void hitsAreThoseOfTheirBackend() {
    for (int i = 1; i <= 100; i++) {
      times.hit("orders", i * MILLI);
      times.hit("pages", 10 * MILLI);
    }
    Map<String, Double> results = results();
    assertThat(results).doesNotContainKey("moves");
    assertThat(results.get("hit_p99_us backend=orders")).isEqualTo(99_000, within(990.0));
    assertThat(results.get("hit_p50_us backend=orders")).isEqualTo(50_000, within(500.0));
    assertThat(results.get("hit_p99_us backend=pages")).isEqualTo(10_000, within(100.0));
  }
}
