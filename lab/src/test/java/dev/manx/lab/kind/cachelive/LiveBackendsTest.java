/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Progress;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveBackendsTest {
  /** A completed run would end without its table and its report. */
  @Test
  void aFolderThatCannotBeDeletedIsReported() {
    List<String> said = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void step(String text) {
            said.add(text);
          }

          @Override
          public void now(String text) {}
        };
    Path folder = Path.of("work", "backends-1-2");
    LiveBackends.delete(
        folder,
        () -> {
          throw new UncheckedIOException(new DirectoryNotEmptyException(folder.toString()));
        },
        progress);
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("cannot delete " + folder + " (")
        .endsWith("); the next run of `cache-live` deletes it");
  }
}
