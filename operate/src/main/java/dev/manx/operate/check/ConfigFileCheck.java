/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Whether {@code manx.yaml} is there, and valid in the eyes of the jar that will read it. */
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
   * @param jar the plugin; null if there is none that can be asked
   */
  void look(Path jar, NodeJava java) throws InterruptedException {
    if (!Files.isReadable(file)) {
      found.error(
          file.toString(),
          "there is no such file, or it is not readable",
          "Manx would be off. Begin with `plugin: { mode: shadow }` and `strategy: manx`.");
      return;
    }
    if (jar == null) {
      found.warning(
          file.toString(),
          "not read: that takes the plugin's jar and a Java",
          "Mend what is above, and check again.");
      return;
    }
    NodeJava.Said said = java.readConfig(jar, file);
    if (said.text().contains("ClassNotFoundException")) {
      found.warning(
          file.toString(),
          "not read: the jar is of a version that cannot check a file",
          "Look at system.log after the restart: Manx says loudly what it refuses.");
      return;
    }
    if (said.code() != 0) {
      found.error(
          file.toString(), "refused: " + said.text(), "Manx would be off: correct the file.");
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
          "what was persisted cannot be used, and is " + words,
          "The node takes the file alone. Delete what was persisted: ./manx ctl reset-persisted");
    } else if (!words.isEmpty()) {
      found.ok(file.toString(), "preceded by what was persisted: " + words);
    }
  }

  private void killFile(String path) {
    if (path != null && Files.exists(Path.of(path))) {
      found.warning(
          path,
          "the kill file exists: Manx stays off while it does",
          "Remove it when you want Manx.");
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
