/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.load.connect.FileReasons;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM options relevant to Manx that Cassandra's start script would collect from a folder and
 * from the environment. Read as text: no script is executed.
 */
final class JvmOptions {
  private static final Path EXTRA = Path.of("JVM_EXTRA_OPTS");

  private record Line(Path file, String text) {}

  private final CassandraHome home;
  private final List<Line> lines = new ArrayList<>();

  /**
   * Reads them.
   *
   * @param javaMajor of the Java that starts the node
   */
  JvmOptions(CassandraHome home, int javaMajor) {
    this.home = home;
    for (Path file : home.optionFiles(javaMajor)) {
      try {
        for (String line : Files.readString(file).lines().toList()) {
          if (!line.isBlank() && !line.strip().startsWith("#")) {
            lines.add(new Line(file, line.strip()));
          }
        }
      } catch (IOException e) {
        throw ConfigException.unreadable(file.toString(), FileReasons.why(e));
      }
    }
    // cassandra-env.sh adds these last.
    lines.add(new Line(EXTRA, home.extraOptions()));
  }

  /** An option and the file that sets it. */
  record Found(Path file, String value) {}

  /** Every occurrence of {@code -Dname=value}. */
  List<Found> all(String name) {
    Pattern option = Pattern.compile("-D" + Pattern.quote(name) + "=([^\\s\"']+)");
    List<Found> found = new ArrayList<>();
    for (Line line : lines) {
      Matcher matcher = option.matcher(line.text());
      while (matcher.find()) {
        found.add(new Found(line.file(), matcher.group(1)));
      }
    }
    return found;
  }

  /** Whether a file sets the option only if Manx's jar is on the class path. */
  boolean asksForJar(Path file) {
    return lines.stream()
        .filter(line -> line.file().equals(file))
        .anyMatch(line -> line.text().contains("manx-cassandra-"));
  }

  /** The path of {@code manx.yaml}. */
  Path configFile() {
    if (home.config().isPresent()) {
      return home.config().get();
    }
    Optional<String> named =
        all("manx.config").stream().map(Found::value).reduce((first, last) -> last);
    return named
        .map(
            path ->
                Path.of(
                    path.replace("${CASSANDRA_CONF}", home.conf().toString())
                        .replace("$CASSANDRA_CONF", home.conf().toString())
                        .replace("${CASSANDRA_HOME}", home.home().toString())
                        .replace("$CASSANDRA_HOME", home.home().toString())))
        .orElseGet(() -> home.conf().resolve("manx.yaml"));
  }
}
