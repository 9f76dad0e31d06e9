/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilesTest {
  @TempDir Path folder;

  private Path file(String name) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }

  @Test
  void filesThatToolsMakeAreNotAmongThem() throws Exception {
    Path page = file("guide/page.md");
    Path source = file("module/src/targets/A.java");
    file("module/target/classes/page.md");
    file(".manx/nodes/manx.yaml");
    assertThat(SourceFiles.under(folder)).containsExactly(page, source);
  }
}
