/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.operate.check.Finding.Level;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    yaml("");
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

  /** An RPM has its files in /etc/cassandra/conf, a Debian package in /etc/cassandra. */
  @Test
  void theFolderOfConfigurationIsTheOneWithCassandraYaml() throws Exception {
    Path share = Files.createDirectory(home.resolve("share"));
    Path etc = Files.createDirectory(home.resolve("etc"));
    Path rpm = Files.createDirectory(etc.resolve("conf"));
    List<Path> ofPackages = List.of(etc, rpm);
    assertThat(CassandraHome.at(share, null, java, null, ofPackages).conf()).isEqualTo(etc);
    Files.createFile(rpm.resolve("cassandra.yaml"));
    assertThat(CassandraHome.at(share, null, java, null, ofPackages).conf()).isEqualTo(rpm);
    Files.createFile(etc.resolve("cassandra.yaml"));
    assertThat(CassandraHome.at(share, null, java, null, ofPackages).conf()).isEqualTo(etc);
    assertThat(CassandraHome.at(home, null, java, null, ofPackages).conf())
        .as("of a distribution")
        .isEqualTo(home.resolve("conf"));
    assertThat(CassandraHome.at(home, rpm, java, null, ofPackages).conf())
        .as("as named")
        .isEqualTo(rpm);
  }

  @Test
  void aFolderOfConfigurationWithoutCassandraYamlIsAnError() throws Exception {
    Files.delete(home.resolve("conf/cassandra.yaml"));
    Findings found = HomeChecks.of(CassandraHome.at(home, null, java, null, List.of()));
    assertThat(found.text())
        .contains(home.resolve("conf") + ": there is no cassandra.yaml in it")
        .contains("Name the node's folder with --conf.");
    assertThat(found.count(Level.ERROR)).isEqualTo(1);
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
    Files.writeString(options, " " + Files.readString(options));
    finds(Level.ERROR, "Manx is not enabled");
    Files.writeString(options, Files.readString(options).strip());
    Files.delete(home.resolve("lib/manx-cassandra-0.1.0.jar"));
    finds(Level.ERROR, "the node would not start");
  }

  private static final String NEXT =
      """
      case "$CLASSPATH" in
        */manx-cassandra-*.jar*)
          JVM_OPTS="$JVM_OPTS -Dcassandra.custom_query_handler_class=dev.manx.cassandra.ManxQueryHandler"
          JVM_OPTS="$JVM_OPTS -Dmanx.next_query_handler_class=com.example.Own" ;;
        *)
          JVM_OPTS="$JVM_OPTS -Dcassandra.custom_query_handler_class=com.example.Own" ;;
      esac
      """;

  /** Without a line that names it, the jar's removal would also remove the site's handler. */
  @Test
  void aHandlerOfTheSiteMustBeNamedForANodeWithoutTheJarToo() throws Exception {
    Path env = home.resolve("conf/cassandra-env.sh");
    Files.writeString(env, NEXT);
    Findings found = check();
    assertThat(found.all()).as(found.text()).allMatch(one -> one.level() == Level.OK);
    Files.writeString(env, LINES);
    String without = "without Manx's jar the node would run without com.example.Own";
    Files.writeString(
        home.resolve("conf/jvm-server.options"), "-Dmanx.next_query_handler_class=com.example.Own");
    finds(Level.WARNING, without);
    Files.writeString(
        env, NEXT.replace("class=com.example.Own\" ;;\nesac", "class=a.B\" ;;\nesac"));
    finds(Level.WARNING, without);
    Files.writeString(
        env, NEXT + "JVM_OPTS=\"-Dcassandra.custom_query_handler_class=com.example.Own\"");
    finds(Level.ERROR, "names another query handler: com.example.Own");
    Files.writeString(env, NEXT.replace("  *)\n", ""));
    finds(Level.ERROR, "names another query handler: com.example.Own");
  }

  /** A block of lines that the guide names. */
  @Test
  void theLinesOfTheGuideForAnotherHandlerAreAccepted() throws Exception {
    Path guide = Path.of("../docs/operate/install.md");
    String section = Files.readString(guide).split("## Another query handler", 2)[1];
    Files.writeString(
        home.resolve("conf/cassandra-env.sh"), section.split("```sh\n", 2)[1].split("```", 2)[0]);
    Findings found = check();
    assertThat(found.all()).as(found.text()).allMatch(one -> one.level() == Level.OK);
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

  /** The jar is run, with all rights if root runs this. */
  @Test
  void rootDoesNotRunAJarThatOthersCanReplace() throws Exception {
    java("17.0.13", "mode: shadow", 0);
    Path command = java.resolve("bin/java");
    Path ran = home.resolve("ran");
    Files.writeString(
        command, Files.readString(command).replace("echo 'mode", "touch " + ran + "; echo 'mode"));
    Files.setPosixFilePermissions(
        home.resolve("lib"), PosixFilePermissions.fromString("rwxrwxrwx"));
    Findings found = HomeChecks.of(CassandraHome.at(home, null, java, null), "root");
    assertThat(found.all())
        .filteredOn(one -> one.level() == Level.ERROR)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.where()).isEqualTo(home.resolve("conf/manx.yaml").toString());
              assertThat(one.text())
                  .startsWith("not checked: the plugin's jar reads it, and root would run")
                  .contains(home.toString());
            });
    assertThat(ran).doesNotExist();
    assertThat(HomeChecks.of(CassandraHome.at(home, null, java, null), "cassandra").text())
        .contains("valid; mode shadow");
    assertThat(ran).exists();
  }

  /** A node of root runs the jar with all rights at every start. */
  @Test
  void rootRunsTheJarOfANodeThatRunsAsRoot() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root owns files of root");
    Path lib = home.resolve("lib");
    Files.setPosixFilePermissions(lib, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path data = home.resolve("data");
    for (Path before : List.of(data, data.resolve("data"))) {
      Files.createDirectories(before);
      assertThat(byRoot()).as("not started yet").contains("root would run the code of other");
    }
    Path named = Files.createDirectory(home.resolve("named"));
    yaml("data_file_directories:\n    - " + named + "\n");
    assertThat(byRoot()).as("not a folder of data").contains("root would run the code of other");
    yaml("");
    Path schema = Files.createDirectory(data.resolve("data/system_schema"));
    assertThat(byRoot()).contains("valid; mode shadow").doesNotContain("not checked");
    for (Path given : List.of(schema, data.resolve("data"))) {
      Files.setAttribute(given, "unix:uid", 65534);
      assertThat(byRoot()).contains("root would run the code of other");
      Files.setAttribute(given, "unix:uid", 0);
    }
  }

  private String byRoot() throws InterruptedException {
    return HomeChecks.of(CassandraHome.at(home, null, java, null), "root").text();
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

  private static final String NEEDS =
      """
      mode: shadow
      strategy: select.low
      max-wait: 500ms; least read_request_timeout of a node: 1s
      memory of the strategy: 4MiB; least heap of a node: 256MiB\
      """;

  private void yaml(String text) throws IOException {
    Files.writeString(home.resolve("conf/cassandra.yaml"), text);
  }

  private void finds(String text) throws Exception {
    finds(Level.ERROR, text);
    assertThat(check().text()).doesNotContain("valid; mode");
  }

  /** The node checks the file with its own limits, and Manx would be off there. */
  @Test
  void aFileThatWaitsLongerThanTheNodesReadTimeoutAllowsIsAnError() throws Exception {
    java("17.0.13", NEEDS, 0);
    assertThat(check().text())
        .as("Cassandra's default")
        .contains("valid; mode shadow, strategy select.low; least heap 256MiB", "All is well.");
    yaml("read_request_timeout: 500ms\n");
    finds("max-wait is 500ms, and may be up to 250ms, half of read_request_timeout in " + home);
    yaml("read_request_timeout_in_ms: 999\n");
    finds("may be up to 499.5ms");
    for (String enough : List.of("1s", "'1000ms'", "1m # long", "1000")) {
      yaml("# read_request_timeout: 1ms\nread_request_timeout: " + enough + "\n");
      assertThat(check().text()).as(enough).contains("All is well.");
    }
  }

  @Test
  void aFileThatNeedsALargerHeapIsAnError() throws Exception {
    java("17.0.13", NEEDS, 0);
    Path options = home.resolve("conf/jvm-server.options");
    Files.writeString(options, "-Xms4G\n-Xmx128M\n");
    finds("it needs a heap of 256MiB, and " + options + " sets 128MiB");
    Files.writeString(options, "#-Xmx128M\n-Xmx256m\n");
    assertThat(check().text()).contains("All is well.");
    Files.writeString(options, "-ea\n");
    env("MAX_HEAP_SIZE=\"200M\"");
    finds("cassandra-env.sh sets 200MiB");
    env("JVM_OPTS=\"$JVM_OPTS -Xmx${MAX_HEAP_SIZE}\"");
    assertThat(check().text()).as("by the memory of the machine").contains("All is well.");
  }

  /** Each request thread keeps a plan, so that the heap that a file needs depends on them. */
  @Test
  void aFileIsCheckedWithTheNodesRequestThreads() throws Exception {
    java("17.0.13", NEEDS, 0);
    Path command = java.resolve("bin/java");
    String many = "case \"$*\" in *-Dmanx.request-threads=2304*) echo 'mode: shadow'; echo ";
    Files.writeString(
        command,
        Files.readString(command)
            .replace(
                "echo 'mode", many + "'least heap of a node: 840MiB'; exit 0;; esac\necho 'mode"));
    Files.writeString(home.resolve("conf/jvm-server.options"), "-Xmx512M\n");
    assertThat(check().text()).contains("valid; mode shadow", "least heap 256MiB");
    yaml(
        """
        # concurrent_reads: 7
        native_transport_max_threads: 2048
        concurrent_reads: 128
        concurrent_writes: "128" # many
        concurrent_counter_writes: 99
        """);
    finds("it needs a heap of 840MiB, and ");
    assertThat(NodeNeeds.requestThreads("")).isEqualTo(128 + 32 + 32);
    assertThat(NodeNeeds.requestThreads("native_transport_max_threads: 2048\n"))
        .isEqualTo(2_048 + 32 + 32);
  }

  /** The node checks them with its own limits, and ignores all of them if one does not fit. */
  @Test
  void persistedSwitchesThatDoNotFitTheNodeAreNamed() throws Exception {
    String persisted = "\npersisted: mode, document since 2026-01-01T00:00:00Z in /p.yaml\n";
    String needs = "persisted needs: heap 4GiB, read_request_timeout 8s for max-wait 4s";
    java("17.0.13", NEEDS + persisted + needs, 0);
    yaml("read_request_timeout: 8s\n");
    assertThat(check().text()).contains("overridden by persisted settings: mode, document");
    yaml("read_request_timeout: 5s\n");
    finds(Level.WARNING, "would ignore the persisted settings: strategy.order.max-wait is 4s, and");
    assertThat(check().text()).contains("may be up to 2.5s", "valid; mode shadow");
    assertThat(check().text()).doesNotContain("overridden by");
    Path options = home.resolve("conf/jvm-server.options");
    Files.writeString(options, "-Xmx1G\n");
    finds(Level.WARNING, "settings: it needs a heap of 4GiB, and " + options + " sets 1GiB; strat");
    java("17.0.13", NEEDS + persisted + "persisted needs: heap 1GiB", 0);
    assertThat(check().text()).contains("All is well.");
  }

  /** Their file is readable by its owner only. */
  @Test
  void persistedSwitchesOfAnotherUserAreNotCalledUnusable() throws Exception {
    for (String words : List.of("ignored: /p.yaml: cannot be read", "not checked: /p.yaml")) {
      java("17.0.13", "mode: shadow\npersisted: " + words + ": permission denied", 0);
      finds(Level.WARNING, "were not checked: only their owner may read them");
      assertThat(check().text()).doesNotContain("reset-persisted");
    }
    java("17.0.13", "mode: shadow\npersisted: ignored: /p.yaml:1: mode = x is invalid", 0);
    finds(Level.WARNING, "cannot be used: ignored: /p.yaml:1");
  }

  @Test
  void filesThatCassandrasUserCannotReadAreErrors() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
    Path data = Files.createDirectories(home.resolve("data/data"));
    Files.setAttribute(data, "unix:uid", 65534);
    Files.setAttribute(data, "unix:gid", 65534);
    Path jar = home.resolve("lib/manx-cassandra-0.1.0.jar");
    Path yaml = home.resolve("conf/manx.yaml");
    assertThat(check().text()).contains("All is well.");
    for (Path file : List.of(jar, yaml)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    finds(Level.ERROR, jar + ": it belongs to root (rw-------), and Cassandra's data (" + data);
    finds(Level.ERROR, "who cannot read it: Cassandra would not start");
    finds(Level.ERROR, yaml + ": it belongs to root");
    finds(Level.ERROR, "who cannot read it: Manx would be off");
  }

  /** Cassandra's own script does not mind it. */
  @Test
  void anOptionFileMayHaveACommentInAnotherEncoding() throws Exception {
    byte[] latin = "# für uns\n-ea\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(home.resolve("conf/jvm-server.options"), latin);
    Files.write(home.resolve("conf/cassandra.yaml"), latin);
    assertThat(check().text()).contains("All is well.");
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
