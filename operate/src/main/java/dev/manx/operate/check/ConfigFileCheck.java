/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Checks that {@code manx.yaml} exists and that the jar that will read it accepts it. */
final class ConfigFileCheck {
  private final CassandraHome home;
  private final Path file;
  private final Findings found;

  ConfigFileCheck(CassandraHome home, Path file, Findings found) {
    this.home = home;
    this.file = file;
    this.found = found;
  }

  /**
   * @param jar the plugin; null if it cannot be run
   */
  void look(Path jar, JavaProbe java) throws InterruptedException {
    if (!Files.isReadable(file)) {
      found.error(
          file.toString(),
          "the file does not exist or is not readable",
          "Manx would be off. Begin with `plugin: { mode: shadow }` and `strategy: manx`.");
      return;
    }
    if (jar == null) {
      found.warning(
          file.toString(),
          "not checked: this requires the plugin's jar and Java",
          "Correct the errors above, and check again.");
      return;
    }
    JavaProbe.Said said = java.readConfig(jar, file);
    if (said.text().contains("ClassNotFoundException")) {
      found.warning(
          file.toString(),
          "not checked: this version of the jar cannot check a file",
          "Read system.log after the restart: Manx logs rejected settings there.");
      return;
    }
    if (said.code() != 0) {
      found.error(
          file.toString(), "rejected: " + said.text(), "Manx would be off: correct the file.");
      return;
    }
    Map<String, String> rows = rows(said.text());
    found.ok(
        file.toString(), "valid; mode " + rows.get("mode") + ", strategy " + rows.get("strategy"));
    killFile(rows.get("kill-file"));
    persisted(rows.getOrDefault("persisted", ""));
    if (rows.containsKey("persisted-file")) {
      PersistedFolder.look(home, Path.of(rows.get("persisted-file")), found);
    }
  }

  private void persisted(String words) {
    if (words.startsWith("ignored: ")) {
      found.warning(
          file.toString(),
          "the persisted settings cannot be used, and are " + words,
          "The node uses only the file. Delete the persisted settings: ./manx ctl reset-persisted");
    } else if (!words.isEmpty()) {
      found.ok(file.toString(), "overridden by persisted settings: " + words);
    }
  }

  private void killFile(String path) {
    if (path != null && Files.exists(Path.of(path))) {
      found.warning(path, "the kill file exists: Manx stays off", "Remove it to use Manx.");
    }
  }

  private static Map<String, String> rows(String text) {
    Map<String, String> rows = new TreeMap<>();
    text.lines()
        .map(line -> line.split(": ", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> rows.put(pair[0], pair[1]));
    return rows;
  }
}
