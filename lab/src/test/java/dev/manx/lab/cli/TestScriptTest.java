/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./test} with stand-ins for Maven and the JDKs. */
class TestScriptTest {
  @TempDir private Path root;
  private Path jvms;

  @BeforeEach
  void standIns() throws IOException {
    executable("checkout/test", Files.readString(ManxHome.find().root().resolve("test")));
    executable("checkout/mvnw", "#!/bin/sh\necho \"built by $JAVA_HOME\"\necho no luck\nexit 1\n");
    // Only these programs, so that it neither finds a JDK of this machine nor installs one.
    for (String name :
        List.of(
            "bash", "env", "sed", "grep", "head", "tail", "mkdir", "readlink", "dirname", "id")) {
      for (String bin : List.of("/usr/bin", "/bin")) {
        if (Files.isExecutable(Path.of(bin, name))) {
          executable("tools/" + name, "#!/bin/sh\nexec " + bin + "/" + name + " \"$@\"\n");
        }
      }
    }
    jvms = Files.createDirectories(root.resolve("jvms"));
  }

  private void executable(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path jdk(String folder, String version) throws IOException {
    executable(folder + "/bin/java", "#!/bin/sh\n");
    executable(folder + "/bin/javac", "#!/bin/sh\necho javac " + version + "\n");
    return root.resolve(folder);
  }

  private String run(String javaHome, String... options) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(root.resolve("checkout/test").toString());
    builder.command().addAll(List.of(options));
    builder.environment().clear();
    builder.environment().put("PATH", root.resolve("tools").toString());
    builder.environment().put("MANX_JVMS", jvms.toString());
    if (javaHome != null) {
      builder.environment().put("JAVA_HOME", javaHome);
    }
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    return said + "code " + process.waitFor();
  }

  @Test
  void fastAndFullExcludeEachOther() throws Exception {
    jdk("jvms/jdk-17", "17.0.1");
    assertThat(run(null, "--fast", "--full"))
        .isEqualTo("test: --fast and --full exclude each other\ncode 1");
    assertThat(run(null, "--slow")).contains("unknown option --slow").endsWith("code 1");
  }

  @Test
  void theRuntimeOfJava17IsNoJdk() throws Exception {
    executable("jvms/java-17-openjdk/bin/java", "#!/bin/sh\n");
    assertThat(run(null, "--fast")).contains("needs openjdk-17-jdk-headless").endsWith("code 1");
    Path jre = jvms.resolve("java-17-openjdk");
    assertThat(run(jre.toString(), "--fast")).contains("needs openjdk-17-jdk-headless");
    Path jdk = jdk("jvms/jdk-17", "17.0.1");
    assertThat(run(jre.toString(), "--fast")).contains("built by " + jdk + "\n");
  }

  @Test
  void javaHomeMayBeAnywhere() throws Exception {
    Path jdk = jdk("opt/jdk", "17.0.1");
    assertThat(run(jdk.toString(), "--fast")).contains("built by " + jdk + "\n");
  }

  /** As that of Maven's script, which is not marked as Maven's are. */
  @Test
  void anErrorBeforeMavenIsShown() throws Exception {
    jdk("jvms/jdk-17", "17.0.1");
    assertThat(run(null, "--fast")).contains("no luck\n", "failed after").endsWith("code 1");
  }
}
