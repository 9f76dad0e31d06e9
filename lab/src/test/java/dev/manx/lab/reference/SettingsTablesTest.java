/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsTablesTest {
  private static final Path DOCS = ManxHome.find().root().resolve("docs");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    assertThat(Files.readString(DOCS.resolve("operate/policy-settings.md")))
        .as("write it anew: ./manx policies --settings > docs/operate/policy-settings.md")
        .isEqualTo(SettingsTables.page(Registry.all()));
  }
}
