/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All checks of a Cassandra folder before its node is restarted. */
final class HomeChecks {
  private static final String GUIDE = "See docs/operate/install.md.";
  // Named as in the distribution or as in Maven.
  private static final Pattern CASSANDRA_JAR =
      Pattern.compile("(?:apache-cassandra|cassandra-all)-(\\d.*)\\.jar");

  private final CassandraHome home;
  private final Findings found = new Findings();

  private HomeChecks(CassandraHome home) {
    this.home = home;
  }

  static Findings of(CassandraHome home) throws InterruptedException {
    return of(home, System.getProperty("user.name"));
  }

  /**
   * @param runsAs the user of this process
   */
  static Findings of(CassandraHome home, String runsAs) throws InterruptedException {
    HomeChecks checks = new HomeChecks(home);
    checks.cassandra();
    checks.configuration();
    Optional<Path> jar = PluginJar.look(home, checks.found);
    JavaProbe java = new JavaProbe(home.javaCommand());
    JvmOptions options = new JvmOptions(home, java.major());
    checks.handler(options, jar.isPresent());
    boolean runs = checks.java(java);
    Optional<CassandraUser> user = CassandraUser.of(home);
    jar.ifPresent(
        one ->
            user.ifPresent(
                reader -> reader.mustRead(one, "Cassandra would not start", checks.found)));
    new ConfigFileCheck(home, options, runsAs, checks.found)
        .look(jar.filter(one -> runs).orElse(null), java, user);
    return checks.found;
  }

  private void cassandra() {
    List<String> versions =
        home.jars("*.jar").stream()
            .map(jar -> CASSANDRA_JAR.matcher(jar.getFileName().toString()))
            .filter(Matcher::matches)
            .map(jar -> jar.group(1))
            .distinct()
            .sorted()
            .toList();
    String where = home.home().toString();
    if (versions.isEmpty()) {
      found.error(
          where,
          "neither apache-cassandra-*.jar nor cassandra-all-*.jar in it or in its lib",
          "Is this Cassandra's folder? A Debian package has /usr/share/cassandra.");
    } else if (versions.size() > 1) {
      found.error(
          where,
          "several versions of Cassandra: " + String.join(", ", versions),
          "Keep the jars of one version only.");
    } else if (versions.get(0).startsWith("5.0")) {
      found.ok(where, "Cassandra " + versions.get(0));
    } else {
      found.error(
          where,
          "Cassandra " + versions.get(0) + "; Manx requires 5.0",
          "Manx would stay inactive; the node works as stock.");
    }
  }

  private void configuration() {
    if (!home.hasYaml()) {
      found.error(
          home.conf().toString(),
          "there is no cassandra.yaml in it, so a node does not read this folder",
          "Name the node's folder with --conf.");
    }
  }

  private void handler(JvmOptions options, boolean jar) {
    List<JvmOptions.Found> next = options.all(EngineChecks.NEXT_OPTION);
    List<JvmOptions.Found> all = options.all(EngineChecks.HANDLER_OPTION);
    List<JvmOptions.Found> withoutJar =
        all.stream().filter(one -> one.otherwise() && isNamed(next, one.value())).toList();
    List<JvmOptions.Found> set = all.stream().filter(one -> !withoutJar.contains(one)).toList();
    next.stream()
        .filter(one -> !isNamed(withoutJar, one.value()))
        .forEach(
            one ->
                found.warning(
                    one.file().toString(),
                    "without Manx's jar the node would run without " + one.value(),
                    "After an upgrade or the removal of Manx, nothing would name it. "
                        + EngineChecks.BOTH_HANDLERS));
    if (set.isEmpty()) {
      found.error(
          home.conf().toString(),
          "Manx is not enabled: no -D" + EngineChecks.HANDLER_OPTION + " in it",
          "Add the lines for cassandra-env.sh. " + GUIDE);
      return;
    }
    set.forEach(one -> handler(options, one, jar));
    if (set.stream().map(JvmOptions.Found::value).distinct().count() > 1) {
      found.warning(
          home.conf().toString(),
          "the option is set several times: "
              + set.stream()
                  .map(one -> one.file().getFileName().toString())
                  .collect(Collectors.joining(", ")),
          "Keep one of them; the last one wins.");
    }
  }

  private static boolean isNamed(List<JvmOptions.Found> options, String value) {
    return options.stream().anyMatch(one -> one.value().equals(value));
  }

  private void handler(JvmOptions options, JvmOptions.Found one, boolean jar) {
    String where = one.file().toString();
    if (!one.value().equals(EngineChecks.HANDLER)) {
      found.error(where, "names another query handler: " + one.value(), EngineChecks.BOTH_HANDLERS);
    } else if (options.asksForJar(one.file())) {
      found.ok(where, "names Manx if its jar is there");
    } else if (jar) {
      found.warning(
          where,
          "names Manx whether its jar is there or not",
          "A node without the jar, as after an upgrade, would not start: use the lines that check"
              + " for it. "
              + GUIDE);
    } else {
      found.error(
          where,
          "names Manx, but its jar is not there: the node would not start",
          "Copy the jar, or use the lines that check for it. " + GUIDE);
    }
  }

  private boolean java(JavaProbe java) throws InterruptedException {
    Optional<String> version = java.version();
    String where = home.javaCommand();
    if (version.isEmpty()) {
      found.error(where, "this Java does not start", "Give its folder with --java or JAVA_HOME.");
      return false;
    }
    if (version.get().matches("17(\\..*)?")) {
      found.ok(where, "Java " + version.get());
      return true;
    }
    boolean later = JavaProbe.isLater(version.get());
    found.error(
        where,
        "Java "
            + version.get()
            + (later ? "; Cassandra 5.0 supports Java up to 17" : "; Manx requires 17"),
        "If the node uses another Java than this shell, give its folder with --java.");
    return later;
  }
}
