/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM options relevant to Manx that Cassandra's start script would collect from a folder and
 * from the environment. Read as text: no script is executed.
 */
final class JvmOptions {
  private static final Path EXTRA = Path.of("JVM_EXTRA_OPTS");
  private static final String SIZE = "(\\d{1,15})([kKmMgGtT]?)\\b";
  private static final Pattern LARGEST = Pattern.compile("-Xmx" + SIZE);
  private static final Pattern OF_SCRIPT = Pattern.compile("\\bMAX_HEAP_SIZE=[\"']?" + SIZE);

  // A branch of a case statement that begins with a star alone.
  private static final String OTHERWISE = "*)";

  /**
   * @param otherwise whether it is in the branch of a case statement for all other values
   */
  private record Line(Path file, String text, boolean otherwise) {}

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
      boolean otherwise = false;
      for (String line : CassandraHome.lines(file)) {
        String text = line.strip();
        // The scripts take only lines of the option files that begin with a minus.
        boolean counts =
            isScript(file) ? !text.isEmpty() && !text.startsWith("#") : line.startsWith("-");
        if (counts) {
          otherwise |= text.startsWith(OTHERWISE);
          lines.add(new Line(file, text, otherwise));
          otherwise &= !text.endsWith("esac");
        }
      }
    }
    // cassandra-env.sh adds these last.
    lines.add(new Line(EXTRA, home.extraOptions(), false));
  }

  /**
   * An option and the file that sets it.
   *
   * @param otherwise whether it is in the branch of a case statement for all other values
   */
  record Found(Path file, String value, boolean otherwise) {}

  private static boolean isScript(Path file) {
    return file.getFileName().toString().equals(CassandraHome.SCRIPT);
  }

  /** Every occurrence of {@code -Dname=value}. */
  List<Found> all(String name) {
    Pattern option = Pattern.compile("-D" + Pattern.quote(name) + "=([^\\s\"']+)");
    List<Found> found = new ArrayList<>();
    for (Line line : lines) {
      Matcher matcher = option.matcher(line.text());
      while (matcher.find()) {
        found.add(new Found(line.file(), matcher.group(1), line.otherwise()));
      }
    }
    return found;
  }

  /** The node's largest heap and the file that sets it. */
  record Heap(Path file, long bytes) {}

  /** Empty if the script of the environment chooses the heap by the machine's memory. */
  Optional<Heap> heap() {
    // The script uses MAX_HEAP_SIZE only if the files have no -Xmx.
    return last(LARGEST).or(() -> last(OF_SCRIPT));
  }

  private Optional<Heap> last(Pattern option) {
    Heap last = null;
    for (Line line : lines) {
      Matcher matcher = option.matcher(line.text());
      while (matcher.find()) {
        int power = " kmgt".indexOf((matcher.group(2) + " ").toLowerCase(Locale.ROOT).charAt(0));
        last =
            new Heap(
                line.file(), (long) Math.scalb(Double.parseDouble(matcher.group(1)), 10 * power));
      }
    }
    return Optional.ofNullable(last);
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
