/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks that {@code manx.yaml} exists and that the jar that will read it accepts it. */
final class ConfigFileCheck {
  private final CassandraHome home;
  private final JvmOptions options;
  private final Path file;
  private final String runsAs;
  private final Findings found;

  /**
   * @param runsAs the user of this process
   */
  ConfigFileCheck(CassandraHome home, JvmOptions options, String runsAs, Findings found) {
    this.home = home;
    this.runsAs = runsAs;
    this.options = options;
    this.file = options.configFile();
    this.found = found;
  }

  /**
   * @param jar the plugin; null if it cannot be run
   * @param user Cassandra's; empty if unknown
   */
  void look(Path jar, JavaProbe java, Optional<CassandraUser> user) throws InterruptedException {
    user.ifPresent(one -> one.mustRead(file, "Manx would be off", found));
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
    if (runsAs.equals(RunByRoot.ROOT) && !CassandraUser.isRoot(home)) {
      Optional<RunByRoot.Refusal> refusal =
          RunByRoot.refusal(new RunByRoot.Remedy(jar, file, user.map(CassandraUser::name)));
      if (refusal.isPresent()) {
        found.error(
            file.toString(),
            "not checked: the plugin's jar reads it, and root would run the code of other users: "
                + refusal.get().text(),
            refusal.get().todo());
        return;
      }
    }
    JavaProbe.Said said = java.readConfig(jar, file, NodeNeeds.requestThreads(home.yaml()));
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
    NodeNeeds needs = new NodeNeeds(home, options, said.text());
    if (needs.met(file.toString(), found)) {
      found.ok(
          file.toString(),
          "valid; mode " + rows.get("mode") + ", strategy " + rows.get("strategy") + needs.words());
    }
    killFile(rows.get("kill-file"));
    boolean isIts = user.map(CassandraUser::name).equals(Optional.of(runsAs));
    if (needs.persistedMet(file.toString(), found)) {
      persisted(rows.getOrDefault("persisted", ""), isIts);
    }
    if (rows.containsKey("persisted-file")) {
      PersistedFolder.look(user, Path.of(rows.get("persisted-file")), found);
    }
  }

  /**
   * @param isIts whether Cassandra's user runs this, who must be able to read them
   */
  private void persisted(String words, boolean isIts) {
    boolean denied = words.startsWith("not checked: ") || words.endsWith(": permission denied");
    if (denied && !isIts) {
      found.warning(
          file.toString(),
          "the persisted settings, which override it, were not checked: only their owner may read"
              + " them",
          "Run this as Cassandra's user.");
    } else if (denied || words.startsWith("ignored: ")) {
      found.warning(
          file.toString(),
          "the persisted settings cannot be used: " + words,
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
