/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceModelTest {
  @ParameterizedTest
  @CsvSource({"65536_17, 65536", "1024_1, 1024", "0_9, 0", "abc, 1024", "_5, 1024", "12, 1024"})
  void theSizeIsTheNumberBeforeTheUnderscore(String key, long bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(("xx" + key).getBytes(StandardCharsets.UTF_8));
    buffer.position(2);
    assertThat(ServiceModel.bytes(buffer)).isEqualTo(bytes);
    assertThat(buffer.position()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"5ms, 5000000", "300us, 300000", "1.5ms, 1500000", "0ns, 0", "1s, 1000000000"})
  void durations(String text, long nanos) {
    assertThat(ServiceModel.duration(text, "base")).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"5", "ms", "5 minutes", "-1ms"})
  void refusesInvalidDurations(String text) {
    assertThatThrownBy(() -> ServiceModel.duration(text, "base"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("base")
        .hasMessageContaining("5ms");
  }

  /** Pauses fill 0 to 100 of every 1000. */
  @ParameterizedTest
  @CsvSource({
    "500, 50, 50", // entirely between two pauses
    "950, 50, 50", // ends as the pause begins
    "950, 51, 151", // the last nanosecond waits for the pause to end
    "2000, 10, 110", // arrives as a pause begins
    "99, 10, 11", // arrives as it ends
    "100, 900, 900",
    "100, 901, 1001",
    "100, 1801, 2001",
  })
  void serviceStandsStillDuringPauses(long start, long service, long takes) {
    assertThat(ServiceModel.withPauses(start, service, 100, 1000)).isEqualTo(takes);
    assertThat(ServiceModel.withPauses(start, service, 0, 0)).isEqualTo(service);
  }

  @Test
  void refusesAPauseWithoutEnd() {
    Map<String, String> parameters =
        Map.of("base", "1ms", "per-kib", "0ns", "pause", "1s", "every", "1s");
    assertThatThrownBy(() -> ServiceModel.INSTANCE.configure(new HashMap<>(parameters)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("pause must be shorter than every");
    ServiceModel.INSTANCE.configure(new HashMap<>(Map.of("base", "1ms", "per-kib", "0ns")));
  }

  @Test
  void sleepsAndCountsRequestedAndActualSleep() {
    ServiceModel model = ServiceModel.INSTANCE;
    model.configure(new HashMap<>(Map.of("base", "1ms", "per-kib", "1ms")));
    long reads = model.values().get("reads");
    long wanted = model.values().get("wanted_nanos");
    long slept = model.values().get("slept_nanos");
    model.serve(ByteBuffer.wrap("2048_1".getBytes(StandardCharsets.UTF_8)));
    assertThat(model.values().get("reads") - reads).isEqualTo(1);
    assertThat(model.values().get("wanted_nanos") - wanted).isEqualTo(3_000_000);
    assertThat(model.values().get("slept_nanos") - slept).isGreaterThanOrEqualTo(3_000_000);
  }
}
