/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code mvnw} on a machine without Maven, with stand-ins for the programs that fetch and unpack
 * it.
 */
class MavenWrapperTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final String PROPERTIES = ".mvn/wrapper/maven-wrapper.properties";
  private static final String ZIP = "distributionSha256Sum";
  private static final String TAR = "distributionSha256SumTarGz";

  private static final String WGET =
      """
      #!/bin/sh
      echo "$2" >>"$ASKED"
      case "$2" in *.zip) echo zip ;; *.tar.gz) echo tar ;; esac >"$4"
      """;

  @TempDir private Path folder;
  private Path tools;

  @BeforeEach
  void machine() throws IOException {
    tools = Files.createDirectories(folder.resolve("tools"));
    for (String name :
        List.of("uname", "dirname", "basename", "tr", "mktemp", "rm", "mkdir", "sha256sum")) {
      for (String bin : List.of("/bin", "/usr/bin")) {
        if (Files.isExecutable(Path.of(bin, name))) {
          executable(name, "#!/bin/sh\nexec " + Path.of(bin, name) + " \"$@\"\n");
        }
      }
    }
    executable("wget", WGET);
    executable("tar", "#!/bin/sh\nexit 9\n");
    Files.createDirectories(folder.resolve(PROPERTIES).getParent());
    Files.copy(ROOT.resolve("mvnw"), folder.resolve("mvnw"));
    Files.copy(ROOT.resolve(PROPERTIES), folder.resolve(PROPERTIES));
  }

  private void executable(String name, String text) throws IOException {
    Files.writeString(tools.resolve(name), text);
    assertThat(tools.resolve(name).toFile().setExecutable(true)).isTrue();
  }

  private static Properties properties() throws IOException {
    Properties properties = new Properties();
    try (var in = Files.newInputStream(ROOT.resolve(PROPERTIES))) {
      properties.load(in);
    }
    return properties;
  }

  private static String sum(String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private void sums(String zip, String tar) throws IOException {
    String text = Files.readString(ROOT.resolve(PROPERTIES));
    Files.writeString(
        folder.resolve(PROPERTIES),
        text.replace(properties().getProperty(ZIP), zip)
            .replace(properties().getProperty(TAR), tar));
  }

  private String run(Map<String, String> environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", folder.resolve("mvnw").toString(), "-v")
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("ASKED", folder.resolve("asked").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("the stand-ins unpack nothing: %s", said).isEqualTo(1);
    return said;
  }

  /** Where unzip is not installed it fetches another file, which has another sum. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSumOfMavenIsChecked(boolean unzip) throws Exception {
    if (unzip) {
      executable("unzip", "#!/bin/sh\nexit 9\n");
    }
    assertThat(run(Map.of())).contains("Failed to validate Maven distribution SHA-256");
    sums(sum("zip\n"), sum("tar\n"));
    assertThat(run(Map.of())).isEqualTo("failed to " + (unzip ? "unzip" : "untar") + "\n");
    sums(sum("tar\n"), sum("zip\n"));
    assertThat(run(Map.of())).contains("Failed to validate Maven distribution SHA-256");
  }

  @Test
  void bothSumsAreThere() throws IOException {
    assertThat(List.of(properties().getProperty(ZIP), properties().getProperty(TAR)))
        .allMatch(sum -> sum.matches("[0-9a-f]{64}"))
        .doesNotHaveDuplicates();
  }

  /** As in a company whose network reaches no other repository. */
  @Test
  void mavenComesFromTheRepositoryOfTheGuide() throws Exception {
    String guide = Files.readString(ROOT.resolve("docs/operate/install.md"));
    Matcher named = Pattern.compile("(?m)^ +export MVNW_REPOURL=(\\S+)$").matcher(guide);
    assertThat(named.find()).as("the guide names the variable").isTrue();
    assertThat(guide).contains("<mirrorOf>*</mirrorOf>", "<url>" + named.group(1) + "</url>");
    executable("unzip", "#!/bin/sh\nexit 9\n");
    run(Map.of("MVNW_REPOURL", named.group(1)));
    String published = properties().getProperty("distributionUrl");
    assertThat(folder.resolve("asked"))
        .hasContent(named.group(1) + published.substring(published.indexOf("/org/apache/maven/")));
  }
}
