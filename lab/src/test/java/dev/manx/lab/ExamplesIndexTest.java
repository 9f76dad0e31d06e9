/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code examples/README.md} lists every experiment file with its own description. */
class ExamplesIndexTest {
  private static final Path EXAMPLES = ManxHome.find().root().resolve("examples");

  @Test
  void listsEveryFileWithItsDescription() throws IOException {
    List<String> rows = new ArrayList<>();
    try (var files = Files.newDirectoryStream(EXAMPLES, "*.yaml")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String text =
            ConfigNode.parse(name, Files.readString(file)).at("description").text().strip();
        rows.add("| [%s](%s) | %s |".formatted(name, name, text.replace("|", "\\|")));
      }
    }
    assertThat(Files.readAllLines(EXAMPLES.resolve("README.md")))
        .filteredOn(line -> line.startsWith("| ["))
        .containsExactlyInAnyOrderElementsOf(rows);
  }
}
