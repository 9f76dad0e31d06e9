/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatisticsSettingsTest {
  private static ConfigNode node(String yaml) {
    return ConfigNode.parse("cache.yaml", yaml);
  }

  @Test
  void readsWhereStatisticsComeTogether(@TempDir Path folder) throws Exception {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "a-secret-of-20-chars\n");
    String file = "secret-file: '" + secret + "'";
    StatisticsClient client =
        StatisticsClient.read(node("{ server: 'http://localhost:1', " + file + " }"));
    assertThat(client.failures()).isZero();
    for (String bad :
        new String[] {
          "{ server: 'ftp://x' }",
          "{ server: 'http://x:1', timeout: 2h }",
          "{ server: 'http://x:1', secret-file: /nowhere }",
          "{ server: 'http://x:1', secret-file: }",
          "{ server: 'http://x:1', other: 1 }"
        }) {
      assertThatThrownBy(() -> StatisticsClient.read(node(bad)))
          .as(bad)
          .isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void aSecretThatIsTooShortIsTheFaultOfItsFile(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "guess me");
    String settings = "{ server: 'http://localhost:1', secret-file: '" + secret + "' }";
    assertThatThrownBy(() -> StatisticsClient.read(node(settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("cache.yaml:1: secret-file = ")
        .hasMessageEndingWith(
            "is invalid: a secret of 8 characters; allowed: 16 to 512 printable ASCII characters"
                + " without spaces")
        .hasMessageNotContaining("guess");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:secret@x:1",
        "http://me:secret@x:1/path",
        "http://me:se cret@x:1",
        "me:secret@x:1"
      })
  void refusalsDoNotShowPasswords(String server) {
    assertThatThrownBy(() -> StatisticsClient.read(node("{ server: '" + server + "' }")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("https://host:port")
        .hasMessageNotContaining("cret");
  }
}
