/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFolderTest {
  @TempDir private Path parent;

  /** Otherwise both would write to the same files. */
  @Test
  void twoRunsOfOneSecondHaveAFolderEach() throws Exception {
    Path results = parent.resolve("manx-out");
    assertThat(NewFolder.of(results, "demo-20260131-140501"))
        .isEmptyDirectory()
        .hasFileName("demo-20260131-140501");
    assertThat(NewFolder.of(results, "demo-20260131-140501"))
        .isEmptyDirectory()
        .hasFileName("demo-20260131-140501-2");
  }
}
