/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar in {@code MANX_POLICIES} that cannot add a policy is refused by its name. */
class PolicyJarCheckTest {
  private static final String SERVICE = "META-INF/services/dev.manx.policy.spi.PolicyProvider";

  @TempDir private Path folder;

  private Path jar(String name, Map<String, String> entries) throws IOException {
    Path jar = folder.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
    }
    return jar;
  }

  private static String refusal(Path... jars) {
    return assertThatThrownBy(() -> PolicyJarCheck.check(List.of(jars)))
        .isInstanceOf(ConfigException.class)
        .actual()
        .getMessage();
  }

  @Test
  void aJarWithAPolicyIsAccepted() throws Exception {
    Path own =
        jar(
            "own.jar",
            Map.of(SERVICE, "# mine\nexample.Own$Some # here\n", "example/Own$Some.class", ""));
    Path library = jar("library.jar", Map.of("library/Sketch.class", ""));
    assertThatCode(() -> PolicyJarCheck.check(List.of(library, own))).doesNotThrowAnyException();
    assertThatCode(() -> PolicyJarCheck.check(List.of())).doesNotThrowAnyException();
    assertThat(refusal(library))
        .startsWith("MANX_POLICIES: jar = '")
        .contains("library.jar")
        .endsWith("it does not add a policy, because it lacks the file " + SERVICE);
  }

  @Test
  void aFileThatIsNoJarIsRefused() throws Exception {
    Path text = Files.writeString(folder.resolve("text.jar"), "a text");
    assertThat(refusal(text)).contains("text.jar").contains("it cannot be read as a jar");
  }

  @Test
  void aServiceWithoutItsClassIsRefused() throws Exception {
    assertThat(refusal(jar("own.jar", Map.of(SERVICE, "example.Gone\n"))))
        .contains("own.jar")
        .endsWith("names example.Gone, which it does not have");
    assertThat(refusal(jar("empty.jar", Map.of(SERVICE, "# nothing\n"))))
        .contains("does not add a policy");
  }
}
