/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds of the user's, by the files next to them. */
@Timeout(60)
class BuildOptionsTest {
  @TempDir Path folder;

  private BuildOptions options(String cache) throws IOException {
    Files.writeString(folder.resolve("CMakeCache.txt"), cache);
    return BuildOptions.of(new EngineLibrary(folder, folder)).orElseThrow();
  }

  @Test
  void aBuildWithoutATypeHasDiagnostics() throws IOException {
    BuildOptions none =
        options(
            """
            // Choose the type of build
            CMAKE_BUILD_TYPE:STRING=None
            ENABLE_TCMALLOC:BOOL=ON
            HAVE_DIAGNOSTIC:BOOL=ON
            HAVE_DIAGNOSTIC-ADVANCED:INTERNAL=1
            """);
    assertThat(none).isEqualTo(new BuildOptions("None", true, true));
    assertThat(none.differences())
        .isEqualTo("CMAKE_BUILD_TYPE=None, HAVE_DIAGNOSTIC=1, ENABLE_TCMALLOC=1");
    assertThat(options("CMAKE_BUILD_TYPE:STRING=\nHAVE_DIAGNOSTIC:BOOL=1\n").differences())
        .isEqualTo("CMAKE_BUILD_TYPE=None, HAVE_DIAGNOSTIC=1");
  }

  @Test
  void aBuildAsOursHasNoDifference() throws IOException {
    String cache =
        """
        CMAKE_BUILD_TYPE:STRING=Release
        HAVE_DIAGNOSTIC:BOOL=OFF
        ENABLE_TCMALLOC:UNINITIALIZED=0
        """;
    assertThat(options(cache).differences()).isEmpty();
    assertThat(options(cache).words())
        .isEqualTo("CMAKE_BUILD_TYPE=Release, HAVE_DIAGNOSTIC=0, ENABLE_TCMALLOC=0");
  }

  @Test
  void withoutItsFileNothingIsKnown() {
    assertThat(BuildOptions.of(new EngineLibrary(folder, folder))).isEmpty();
  }

  /** Their difference from the builds made here is then the source alone. */
  @Test
  void aMissingLibraryIsRefusedWithTheCommandsOfOurBuilds() {
    assertThat(EngineBuild.buildLines().get(0))
        .contains("-DCMAKE_BUILD_TYPE=" + BuildOptions.OURS.type())
        .contains("-DENABLE_TCMALLOC=0");
    assertThatThrownBy(() -> EngineBuild.check(new EngineLibrary(folder, folder)))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("there is no " + folder.resolve("libwiredtiger.so"))
        .hasMessageContaining(String.join(" && ", EngineBuild.buildLines()));
  }
}
