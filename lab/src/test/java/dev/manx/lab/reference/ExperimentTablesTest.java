/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExperimentTablesTest {
  private static final Path PAGE =
      ManxHome.find().root().resolve("docs/measure/experiment-settings.md");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    assertThat(Files.readString(PAGE))
        .as("write it anew: ./manx kinds --settings > docs/measure/experiment-settings.md")
        .isEqualTo(ExperimentTables.page(Kinds.settings()));
  }
}
