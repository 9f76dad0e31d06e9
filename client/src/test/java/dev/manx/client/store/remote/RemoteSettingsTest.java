/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid limits are refused with the allowed ones. */
class RemoteSettingsTest {
  private static RemoteSettings read(String settings) {
    return RemoteSettings.read(ConfigNode.parse("test.yaml", "store: " + settings).at("store"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ timeout: 0s } | store.timeout = '0s' is invalid; allowed: a duration from 1ms to"
            + " 1h (ns us ms s min h)",
        "{ retry-after: 3s } |"
            + " store.retry-after = '3s' is invalid; allowed: at most retry-at-most, which is 2s",
        "{ retry-after: 3s, retry-at-most: 1s } |"
            + " store.retry-at-most = '1s' is invalid; allowed: at least retry-after, which is 3s",
        "{ max-outstanding: 0 } |"
            + " store.max-outstanding = '0' is invalid; allowed: a whole number from 1 to 65536"
      })
  void ofAFile(String settings, String message) {
    assertThatThrownBy(() -> read(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessage("test.yaml:1: " + message);
  }

  @Test
  void ofAProgram() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> RemoteSettings.standard().withTimeout(Duration.ZERO))
        .hasMessage("timeout = 0s is invalid; allowed: 1ms to 1h");
    assertThatThrownBy(() -> RemoteSettings.standard().withTimeout(Duration.ofHours(2)))
        .as("as in a file")
        .hasMessage("timeout = 7200s is invalid; allowed: 1ms to 1h");
    assertThatThrownBy(
            () -> new RemoteSettings(second, second, second, second, Duration.ofMillis(50), 1_024))
        .hasMessage("retry-at-most = 50ms is invalid; allowed: at least retry-after, which is 1s");
    assertThatThrownBy(() -> new RemoteSettings(second, second, second, second, second, 70_000))
        .hasMessage("max-outstanding = 70000 is invalid; allowed: 1 to 65536");
  }

  @Test
  void missingOnesAreTheStandard() {
    assertThat(read("{}")).isEqualTo(RemoteSettings.standard());
  }
}
