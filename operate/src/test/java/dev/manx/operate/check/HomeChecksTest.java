/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.manx.operate.check.Finding.Level;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of Cassandra with stand-ins for its jars and its Java. */
class HomeChecksTest {
  private static final String LINES =
      """
      # JVM_OPTS="$JVM_OPTS -Dcassandra.custom_query_handler_class=com.example.Commented"
      case "$CLASSPATH" in
        */manx-cassandra-*.jar*)
          JVM_OPTS="$JVM_OPTS -Dcassandra.custom_query_handler_class=dev.manx.cassandra.ManxQueryHandler" ;;
      esac
      """;

  @TempDir private Path home;
  private Path java;

  @BeforeEach
  void whole() throws Exception {
    Files.createDirectories(home.resolve("conf"));
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/apache-cassandra-5.0.9.jar"), "");
    jar("manx-cassandra-0.1.0.jar", "0.1.0");
    Files.writeString(home.resolve("conf/cassandra-env.sh"), LINES);
    Files.writeString(home.resolve("conf/jvm-server.options"), "-ea\n");
    Files.writeString(home.resolve("conf/manx.yaml"), "plugin: { mode: shadow }\n");
    java = home.resolve("jdk");
    java("17.0.13", "valid: x\nmode: shadow\nkill-file: " + home.resolve("conf/manx.off"), 0);
  }

  private void jar(String name, String version) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    try (OutputStream file = Files.newOutputStream(home.resolve("lib").resolve(name));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      jar.putNextEntry(new JarEntry("dev/manx/cassandra/ManxQueryHandler.class"));
    }
  }

  private void java(String version, String says, int code) throws IOException {
    Path command = Files.createDirectories(java.resolve("bin")).resolve("java");
    Files.writeString(
        command,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then echo 'openjdk version "%s"' >&2; exit 0; fi
        echo '%s'
        exit %d
        """
            .formatted(version, says, code));
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  private Findings check() throws InterruptedException {
    return HomeChecks.of(CassandraHome.at(home, null, java, null));
  }

  private void finds(Level level, String text) throws InterruptedException {
    assertThat(check().all())
        .anySatisfy(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.where() + ": " + finding.text()).contains(text);
            });
  }

  /** The error named --conf, which was not given. */
  @Test
  void aFolderThatIsNotCassandrasIsTheFaultOfHome() throws IOException {
    assumeFalse(Files.isDirectory(Path.of("/etc/cassandra")), "a package of Cassandra");
    Path other = Files.createDirectory(home.resolve("other"));
    assertThatThrownBy(() -> CassandraHome.at(other, null, java, null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--home = '" + other + "' is invalid")
        .hasMessageContaining("no folder conf");
    assertThatThrownBy(() -> CassandraHome.at(other, other.resolve("etc"), java, null))
        .hasMessageContaining("--conf = '" + other.resolve("etc") + "' is invalid");
  }

  @Test
  void aFolderThatIsWellHasNoFindings() throws Exception {
    Findings found = check();
    assertThat(found.all()).as(found.text()).allMatch(one -> one.level() == Level.OK);
    assertThat(found.text())
        .contains("Cassandra 5.0.9", "Manx 0.1.0", "names Manx if its jar is there")
        .contains("Java 17.0.13", "valid; mode shadow");
  }

  private void env(String line) throws IOException {
    Files.writeString(home.resolve("conf/cassandra-env.sh"), line + "\n" + LINES);
  }

  @Test
  void aJarThatTheEnvironmentsScriptNamesIsFound() throws Exception {
    Path opt = Files.createDirectories(home.resolve("opt"));
    Path jar = opt.resolve("manx-cassandra-0.1.0.jar");
    Files.move(home.resolve("lib/manx-cassandra-0.1.0.jar"), jar);
    env("# CLASSPATH=\"$CLASSPATH:" + jar + "\"");
    finds(Level.ERROR, "Manx's jar is missing");
    env("CLASSPATH=\"$CLASSPATH:" + opt.resolve("manx-cassandra-9.jar") + "\"");
    finds(Level.ERROR, "Manx's jar is missing");
    for (String path : List.of(jar.toString(), "${CASSANDRA_HOME}/opt/manx-cassandra-0.1.0.jar")) {
      env("CLASSPATH=\"$CLASSPATH:" + path + "\"");
      Findings found = check();
      assertThat(found.all()).as(found.text()).allMatch(one -> one.level() == Level.OK);
    }
    jar("manx-cassandra-0.2.0.jar", "0.2.0");
    finds(
        Level.ERROR, "more than once: lib/manx-cassandra-0.2.0.jar, opt/manx-cassandra-0.1.0.jar");
    env("CLASSPATH=\"$CASSANDRA_HOME/lib/manx-cassandra-0.2.0.jar:$CLASSPATH\"");
    assertThat(check().all()).as("one file").allMatch(one -> one.level() == Level.OK);
  }

  @Test
  void theJarMustBeThereOnceAndWhole() throws Exception {
    jar("manx-cassandra-0.2.0.jar", "0.2.0");
    finds(
        Level.ERROR, "more than once: lib/manx-cassandra-0.1.0.jar, lib/manx-cassandra-0.2.0.jar");
    Files.delete(home.resolve("lib/manx-cassandra-0.2.0.jar"));
    jar("manx-cassandra-0.1.0-lab.jar", "0.1.0");
    finds(Level.ERROR, "the lab's model of slow storage");
    Files.delete(home.resolve("lib/manx-cassandra-0.1.0-lab.jar"));
    Files.writeString(home.resolve("lib/manx-cassandra-0.1.0.jar"), "half a copy");
    finds(Level.ERROR, "manx-cassandra-0.1.0.jar: damaged");
    Files.delete(home.resolve("lib/manx-cassandra-0.1.0.jar"));
    finds(Level.ERROR, "Manx's jar is missing");
  }

  @Test
  void theJvmOptionMustNameManx() throws Exception {
    Path env = home.resolve("conf/cassandra-env.sh");
    Files.writeString(env, "# nothing\n");
    finds(Level.ERROR, "Manx is not enabled");
    Files.writeString(env, LINES.replace("dev.manx.cassandra.Manx", "com.example."));
    finds(Level.ERROR, "another query handler: com.example.QueryHandler");
    Files.writeString(env, "# nothing\n");
    Path options = home.resolve("conf/jvm-server.options");
    Files.writeString(
        options, "-Dcassandra.custom_query_handler_class=dev.manx.cassandra.ManxQueryHandler\n");
    finds(Level.WARNING, "names Manx whether its jar is there or not");
    Files.delete(home.resolve("lib/manx-cassandra-0.1.0.jar"));
    finds(Level.ERROR, "the node would not start");
  }

  @Test
  void onlyOptionFilesOfAServerOfThisJavaCount() throws Exception {
    String other = "-Dcassandra.custom_query_handler_class=com.example.QueryHandler\n";
    for (String file : List.of("jvm-clients.options", "jvm11-server.options", "own.options")) {
      Files.writeString(home.resolve("conf").resolve(file), other);
    }
    assertThat(check().all()).allMatch(one -> one.level() == Level.OK);
    Files.writeString(home.resolve("conf/jvm17-server.options"), other);
    finds(Level.ERROR, "another query handler: com.example.QueryHandler");
    java("11.0.20", "", 1);
    Files.delete(home.resolve("conf/jvm17-server.options"));
    finds(Level.ERROR, "another query handler: com.example.QueryHandler");
  }

  @Test
  void manxYamlIsReadByTheJarItself() throws Exception {
    java("17.0.13", "manx.yaml:3: plugin.mode = x is invalid; allowed: off, shadow, on", 1);
    finds(Level.ERROR, "rejected: manx.yaml:3: plugin.mode = x is invalid; allowed: off");
    Files.delete(home.resolve("conf/manx.yaml"));
    finds(Level.ERROR, "the file does not exist");
    Path elsewhere = home.resolve("conf/own.yaml");
    Files.writeString(elsewhere, "plugin: {}\n");
    Files.writeString(
        home.resolve("conf/jvm-server.options"), "-Dmanx.config=$CASSANDRA_CONF/own.yaml\n");
    finds(Level.ERROR, elsewhere + ": rejected");
  }

  @Test
  void manxYamlMayBeNamedByTheEnvironmentOrTheCommand() throws Exception {
    java("17.0.13", "manx.yaml:3: refused", 1);
    Path mounted = Files.writeString(home.resolve("mounted.yaml"), "plugin: {}\n");
    Path conf = home.resolve("conf");
    String extra = "-Dother=1 -Dmanx.config=" + mounted;
    CassandraHome named = new CassandraHome(home, conf, Optional.of(java), Optional.empty(), extra);
    assertThat(HomeChecks.of(named).text()).contains(mounted + ": rejected");
    CassandraHome told = new CassandraHome(home, conf, Optional.of(java), Optional.of(mounted), "");
    assertThat(HomeChecks.of(told).text()).contains(mounted + ": rejected");
  }

  @Test
  void theFolderOfThePersistedSwitchesMustBeThere() throws Exception {
    java("17.0.13", "mode: shadow\npersisted-file: " + home.resolve("conf/p.yaml"), 0);
    assertThat(check().all()).allMatch(one -> one.level() == Level.OK);
    java("17.0.13", "mode: shadow\npersisted-file: " + home.resolve("nowhere/p.yaml"), 0);
    finds(Level.WARNING, "missing folder " + home.resolve("nowhere"));
  }

  @Test
  void otherEnginesAndTheKillFileAreNamed() throws Exception {
    Files.writeString(home.resolve("conf/manx.off"), "");
    finds(Level.WARNING, "the kill file exists");
    java("11.0.20", "", 1);
    finds(Level.ERROR, "Java 11.0.20; Manx requires 17");
    java("21.0.2", "", 0);
    finds(Level.ERROR, "Java 21.0.2; Cassandra 5.0 supports Java up to 17");
    Files.move(
        home.resolve("lib/apache-cassandra-5.0.9.jar"),
        home.resolve("lib/apache-cassandra-4.1.7.jar"));
    finds(Level.ERROR, "Cassandra 4.1.7; Manx requires 5.0");
    Files.delete(home.resolve("lib/apache-cassandra-4.1.7.jar"));
    finds(Level.ERROR, "neither apache-cassandra-*.jar nor cassandra-all-*.jar");
  }

  @Test
  void theJarOfCassandraMayHaveItsNameInMaven() throws Exception {
    Path named = home.resolve("lib/cassandra-all-5.0.9.jar");
    Files.writeString(named, "");
    assertThat(check().text()).as("one version by two names").contains("Cassandra 5.0.9");
    Files.delete(home.resolve("lib/apache-cassandra-5.0.9.jar"));
    Findings found = check();
    assertThat(found.all()).as(found.text()).allMatch(one -> one.level() == Level.OK);
    assertThat(found.text()).contains("Cassandra 5.0.9");
    Files.move(named, home.resolve("lib/cassandra-all-4.1.7.jar"));
    finds(Level.ERROR, "Cassandra 4.1.7; Manx requires 5.0");
    Files.writeString(home.resolve("lib/apache-cassandra-5.0.9.jar"), "");
    finds(Level.ERROR, "several versions of Cassandra: 4.1.7, 5.0.9");
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    for (Path missing : List.of(home.resolve("nowhere"), home.resolve("conf/manx.yaml"))) {
      assertThatThrownBy(() -> CassandraHome.at(missing, null, null, null))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("--home");
    }
  }
}
