/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcePatchTest {
  private static final String SOURCE =
      """
      #include "all.h"

      static void
      first(int x)
      {
          while (x)
              pause();
      }

      static void
      second(int x)
      {
          pause();
          pause();
      }
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void source() throws IOException {
    file = folder.resolve("a.c");
    Files.writeString(file, SOURCE);
  }

  @Test
  void onlyTheNamedFunctionChanges() throws IOException {
    SourcePatch.of(file)
        .once("#include \"all.h\"\n", "#include \"all.h\"\n#include \"more.h\"\n")
        .in("first", 1, "pause();", "yield();")
        .write();
    assertThat(file)
        .hasContent(
            SOURCE
                .replace("#include \"all.h\"\n", "#include \"all.h\"\n#include \"more.h\"\n")
                .replace("while (x)\n        pause();", "while (x)\n        yield();"));
  }

  @Test
  void sourceOfAnotherShapeIsRefusedAndLeftAlone() {
    SourcePatch patch = SourcePatch.of(file);
    assertThatThrownBy(() -> patch.in("third", 1, "pause();", ""))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no function third");
    assertThatThrownBy(() -> patch.in("second", 1, "pause();", ""))
        .hasMessageContaining("expected 1 times in second but found 2 times");
    assertThatThrownBy(() -> patch.in("first", 1, "spin();", ""))
        .hasMessageContaining("found 0 times");
    assertThatThrownBy(() -> patch.once("pause();", "")).hasMessageContaining("found 3 times");
    assertThat(file).hasContent(SOURCE);
  }

  private static final String WALK =
      """
      %s(void)
      {
          for (i = 0; i < session_cnt; i++, s++) {
              while (s->is_allocating) {
                  WT_PAUSE();
              }
          }
      }
      """;

  private static final String ALLOCATION =
      """
      int
      __wt_txn_id_alloc(void)
      {
              WT_RELEASE_WRITE_WITH_BARRIER(txn_shared->is_allocating, false);
          return (id);
      }
      """;

  /** A build of another patch must not be taken for one of this. */
  @Test
  void everyLineOfThePatchIsPartOfTheNameOfItsBuild() throws IOException {
    String source =
        "#include \"wt_internal.h\"\nint\n"
            + WALK.formatted("__txn_get_snapshot_int").indent(0)
            + "int\n"
            + WALK.formatted("__txn_oldest_scan");
    Path txn = Files.createDirectories(folder.resolve("src/txn")).resolve("txn.c");
    Path header = Files.createDirectories(folder.resolve("src/include")).resolve("txn_inline.h");
    Files.writeString(txn, source);
    Files.writeString(header, ALLOCATION);
    WaitPatch.apply(folder);
    List<String> added = new ArrayList<>(Files.readAllLines(txn));
    added.addAll(Files.readAllLines(header));
    added.removeAll((source + ALLOCATION).lines().toList());
    // The brace that closes the block is a line of the source too.
    assertThat(added).hasSize(1 + 2 * 3 + 5);
    assertThat(added).allMatch(line -> WaitPatch.text().contains(line));
    assertThat(WaitPatch.text()).contains(DriverSources.waitHeader());

    String name = EngineBuild.name("patched", WaitPatch.text());
    assertThat(name).matches("patched-[0-9a-f]{12}");
    assertThat(EngineBuild.name("patched", WaitPatch.text().replace("wakes", "waits")))
        .isNotEqualTo(name);
    assertThat(DriverSources.driverVersion(List.of("-O3")))
        .isNotEqualTo(DriverSources.driverVersion(DriverBuild.FLAGS));
  }

  @Test
  void aTreeThatIsNotWiredTigerIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("src/txn"));
    Files.writeString(folder.resolve("src/txn/txn.c"), "#include \"wt_internal.h\"\nint x;\n");
    assertThatThrownBy(() -> WaitPatch.apply(folder))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no function __txn_get_snapshot_int");
    assertThat(folder.resolve("src/txn/txn.c")).hasContent("#include \"wt_internal.h\"\nint x;\n");
    assertThatThrownBy(() -> WaitPatch.apply(folder.resolve("nowhere")))
        .hasMessageContaining("cannot read");
  }
}
