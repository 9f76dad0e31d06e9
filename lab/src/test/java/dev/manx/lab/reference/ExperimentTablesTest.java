/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExperimentTablesTest {
  private static final Path FOLDER = ManxHome.find().root().resolve("docs/measure");
  private static final Path PAGE = FOLDER.resolve("experiment-settings.md");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    assertThat(Files.readString(PAGE))
        .as("write it anew: ./manx kinds --settings > docs/measure/experiment-settings.md")
        .isEqualTo(ExperimentTables.page(Kinds.settings()));
  }

  /** The table of the parts that each kind has. */
  @Test
  void thePartsOfAKindAreKeysOfItsFiles() throws IOException {
    List<String> rows =
        Files.readAllLines(FOLDER.resolve("experiments.md")).stream()
            .dropWhile(line -> !line.startsWith("| `on:` | `--requests` | saturation"))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(rows).hasSize(2 + Kinds.names().size());
    Kinds.settings()
        .forEach(
            (on, keys) -> {
              String start = "| `" + on + "` |";
              String row =
                  rows.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
              String[] cells = row.split(" *\\| *");
              assertThat(keys.key("requests").isPresent())
                  .as(row)
                  .isEqualTo(cells[2].equals("yes"));
              if (cells[5].equals("yes")) {
                assertThat(keys.key("sweep")).as(row).isPresent();
              }
              Pattern.compile("`([a-z-]+)[^`]*`")
                  .matcher(row.substring(start.length()))
                  .results()
                  .forEach(part -> assertThat(keys.key(part.group(1))).as(row).isPresent());
            });
  }
}
