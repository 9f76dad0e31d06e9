/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.config.SettingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The guide lists the settings as declared in the code. */
class DocumentedTest {
  @Test
  void theGuideHasTheSettingsOfNamedClusters() throws IOException {
    String guide =
        Files.readString(Path.of(System.getProperty("manx.home"), "docs/operate/operate.md"));
    assertThat(guide).contains(SettingTable.markdown(NamedCluster.SETTINGS));
    assertThat(guide).contains(SettingTable.markdown(NamedCluster.TLS));
  }
}
