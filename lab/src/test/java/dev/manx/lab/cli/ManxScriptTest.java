/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.lab.RootPom;
import dev.manx.local.cluster.ManxHome;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script in a checkout with stand-ins: a Maven that only writes files, a Java that echoes. */
@Tag("slow")
class ManxScriptTest {
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      set -e
      echo "build by $JAVA_HOME" >>builds
      echo "$@" >asked
      if [ -p started ]; then echo started >started; read -r go <go; fi
      [ ! -f broken ] || { echo '[ERROR] no such luck'; exit 1; }
      version="$(cut -d'>' -f2 pom.xml | cut -d'<' -f1)"
      echo "[INFO] Building Manx policy $version          [1/8]"
      mkdir -p policy/target cassandra/target lab/target
      echo jar >policy/target/policy.jar
      echo jar >lab/target/manx-lab-$version.jar
      echo jar >cassandra/target/manx-cassandra-$version.jar
      echo jar >cassandra/target/manx-cassandra-$version-lab.jar
      mkdir -p lab/target/lib
      echo jar >lab/target/lib/library.jar
      echo "policy/target/policy.jar" >cassandra/target/node.classpath
      echo "$PWD/policy/target/policy.jar:lab/target/lib/library.jar" >lab/target/lab.classpath
      """;

  @TempDir private Path root;
  private Path checkout;

  @BeforeEach
  void standIns() throws Exception {
    checkout = Files.createDirectories(root.resolve("checkout"));
    executable(checkout.resolve("manx"), Files.readString(ManxHome.find().root().resolve("manx")));
    executable(checkout.resolve("mvnw"), MAVEN);
    Files.writeString(checkout.resolve("pom.xml"), "<version>0.1.0</version>\n");
    for (String module : RootPom.ownModules()) {
      Files.createDirectories(checkout.resolve(module + "/src/main"));
      Files.writeString(checkout.resolve(module + "/pom.xml"), "pom");
    }
    jdk("jdk-17", "17.0.1");
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void jdk(String name, String version) throws IOException {
    Path bin = root.resolve("jvms/" + name + "/bin");
    executable(bin.resolve("javac"), "#!/bin/sh\necho 'javac " + version + "'\n");
    executable(
        bin.resolve("java"),
        "#!/bin/sh\nif [ \"$1\" = -version ]; then echo 'openjdk version \""
            + version
            + "\"'; else echo \"size $LINES x $COLUMNS\"; echo \"caller's ${JAVA_HOME-none}\"; echo \"locale ${LC_ALL-none}\"; echo \"ran\"; printf '%s\\n' \"$@\"; fi\n");
  }

  private Process start(Map<String, String> environment) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(checkout.resolve("manx").toString(), "policies")
            .redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_HOME", "LINES", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"));
    builder.environment().put("MANX_JVMS", root.resolve("jvms").toString());
    builder.environment().put("PATH", tools("flock"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  /**
   * A path with only the programs that the script uses, so that it finds no JDK of this machine.
   */
  private String tools(String... more) throws IOException {
    Path folder = root.resolve("tools" + more.length);
    if (!Files.exists(folder)) {
      Files.createDirectories(folder);
      List<String> names =
          new ArrayList<>(
              List.of(
                  "bash", "sh", "env", "sed", "cut", "grep", "find", "head", "tail", "mkdir",
                  "rm"));
      names.addAll(List.of("rmdir", "cat", "readlink", "dirname", "sleep"));
      names.addAll(List.of(more));
      for (String name : names) {
        for (String bin : List.of("/bin", "/usr/bin")) {
          if (Files.isExecutable(Path.of(bin, name))) {
            String own = Path.of(bin, name).toString();
            executable(folder.resolve(name), "#!/bin/sh\nexec " + own + " \"$@\"\n");
          }
        }
      }
    }
    return folder.toString();
  }

  private static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes());
    return text + "code " + process.waitFor();
  }

  private String run() throws Exception {
    return output(start(Map.of()));
  }

  private long builds() throws IOException {
    Path file = checkout.resolve("builds");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  @Test
  void buildsOnceAndThenRuns() throws Exception {
    assertThat(run()).contains("manx: building (the first time", "ran\n", "\npolicies\ncode 0");
    assertThat(run()).doesNotContain("building").contains("code 0");
    assertThat(builds()).isEqualTo(1);
  }

  /** Jars of an earlier version stay in the folders. */
  @Test
  void theVersionIsThatOfThePom() throws Exception {
    assertThat(run()).contains(checkout + "/lab/target/manx-lab-0.1.0.jar:");
    Files.writeString(checkout.resolve("pom.xml"), "<version>0.1.1</version>\n");
    assertThat(run())
        .contains("manx: building", checkout + "/lab/target/manx-lab-0.1.1.jar:", "code 0")
        .doesNotContain("0.1.0");
    assertThat(run()).doesNotContain("building").contains("manx-lab-0.1.1.jar:", "code 0");
    Files.writeString(checkout.resolve("pom.xml"), "<project/>\n");
    assertThat(run())
        .isEqualTo("manx: cannot read the version of Manx from " + checkout + "/pom.xml\ncode 1");
  }

  /** With maven.test.skip alone, five versions of Cassandra that a test needs were fetched. */
  @Test
  void theBuildFetchesNothingThatOnlyTestsNeed() throws Exception {
    run();
    assertThat(checkout.resolve("asked"))
        .content()
        .contains("-Dmaven.test.skip=true", "-DskipTests");
  }

  /** Copied with its times, as by rsync -a, it runs elsewhere without a build. */
  @Test
  void aBuiltCheckoutCanBeMoved() throws Exception {
    Files.writeString(
        checkout.resolve("mvnw"), MAVEN.replace("\"$PWD/policy/target", "\"policy/target"));
    run();
    Path moved = root.resolve("moved");
    Files.move(checkout, moved);
    checkout = moved;
    assertThat(run())
        .doesNotContain("building")
        .contains(
            ":" + moved + "/policy/target/policy.jar:" + moved + "/lab/target/lib/library.jar")
        .endsWith("code 0");
  }

  /** The builder may be another user, whose build this one need not know to be under way. */
  @Test
  void anothersBuildMayBeUnderWay() throws Exception {
    run();
    Files.createFile(checkout.resolve(".manx/unfinished-build"));
    Files.delete(checkout.resolve(".manx/build.lock"));
    Files.createDirectory(checkout.resolve(".manx/build.lock"));
    assertThat(run())
        .contains(
            "may not write to " + checkout + "; a build is in progress, failed or was cut off")
        .endsWith("code 1");
  }

  @Test
  void whatCannotBeBuiltHereIsNamed() throws Exception {
    Path library = checkout.resolve("lab/target/lib/library.jar");
    run();
    Files.delete(library);
    // Not even root can write to it.
    Files.delete(checkout.resolve(".manx/build.lock"));
    Files.createDirectory(checkout.resolve(".manx/build.lock"));
    assertThat(run())
        .contains("manx: needs to be built, and this user may not write to " + checkout)
        .contains("these files are missing or not readable:\n" + library + "\n")
        .doesNotContain("build.lock")
        .endsWith("code 1");
    Files.writeString(library, "jar");
    assertThat(run()).endsWith("code 0");
    Files.createFile(checkout.resolve("policy/src/main/New.java"));
    assertThat(run()).contains("policy/src/main", "was changed since the last build");
    assertThat(builds()).isEqualTo(1);
  }

  /** There Java cannot open a file whose name is not ASCII. */
  @Test
  void theProgramNeverRunsInAnAsciiLocale() throws Exception {
    String tools = tools("flock");
    Path locale = Path.of(tools, "locale");
    executable(locale, "#!/bin/sh\necho ANSI_X3.4-1968\n");
    assertThat(run()).contains("locale C.UTF-8\n");
    assertThat(output(start(Map.of("LC_ALL", "C")))).contains("locale C.UTF-8\n");
    // One that ssh has sent, and that this machine does not have, acts as C.
    Map<String, String> german = Map.of("LC_ALL", "de_DE.UTF-8");
    assertThat(output(start(german))).contains("locale C.UTF-8\n");
    executable(locale, "#!/bin/sh\necho UTF-8\n");
    assertThat(output(start(german))).contains("locale de_DE.UTF-8\n");
    executable(locale, "#!/bin/sh\necho ISO-8859-1\n");
    assertThat(output(start(Map.of("LC_ALL", "de_DE")))).contains("locale de_DE\n");
    Files.delete(locale);
    assertThat(run()).contains("locale none\n");
  }

  /** Root's files in the checkout would keep its owner from building. */
  @Test
  void anothersCheckoutIsNotBuiltUnderSudo() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
    Files.setAttribute(checkout, "unix:uid", 65534);
    Map<String, String> sudo = Map.of("SUDO_UID", "65534");
    assertThat(output(start(sudo))).contains("run ./manx once without sudo").endsWith("code 1");
    assertThat(builds()).isZero();
    assertThat(checkout.resolve(".manx")).doesNotExist();
    Files.setAttribute(checkout, "unix:uid", 0);
    assertThat(output(start(sudo))).endsWith("code 0");
    Files.setAttribute(checkout, "unix:uid", 65534);
    assertThat(output(start(sudo))).as("there is nothing to build").endsWith("code 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 2>/dev/null", " | cat"})
  @EnabledOnOs(OS.LINUX)
  void theProgramKnowsTheSizeOfTheTerminal(String redirected) throws Exception {
    assertThat(run()).contains("size  x ");
    String tools = tools("flock");
    executable(Path.of(tools, "stty"), "#!/bin/sh\n[ -t 0 ] && echo 50 132\n");
    String command = checkout.resolve("manx") + " policies" + redirected;
    ProcessBuilder builder = new ProcessBuilder("script", "-qec", command, "/dev/null");
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("MANX_JVMS", root.resolve("jvms").toString());
    builder.environment().put("SHELL", "/bin/sh");
    builder.environment().put("PATH", tools);
    assertThat(output(builder.start())).contains("size 50 x 132", "code 0");
  }

  /** Two at once in a new checkout: one builds, the other waits, both run. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneBuildsWhileOthersWait(boolean flock) throws Exception {
    Map<String, String> path = Map.of("PATH", flock ? tools("flock") : tools());
    for (String fifo : List.of("started", "go")) {
      String file = checkout.resolve(fifo).toString();
      assertThat(new ProcessBuilder("mkfifo", file).start().waitFor()).isZero();
    }
    Process first = start(path);
    assertThat(Files.readString(checkout.resolve("started"))).isEqualTo("started\n");
    Process second = start(path);
    BufferedReader said = second.inputReader();
    assertThat(said.readLine()).isEqualTo("manx: another ./manx is building; waiting for it");
    Files.writeString(checkout.resolve("go"), "go\n");
    assertThat(output(first)).contains("ran\n", "code 0");
    assertThat(said.lines()).contains("ran").noneMatch(line -> line.contains("building"));
    assertThat(second.waitFor()).isZero();
    assertThat(builds()).isEqualTo(1);
    try (Stream<Path> left = Files.list(checkout.resolve(".manx"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .doesNotContain("unfinished-build", "build.lock.d");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cassandra/target/manx-cassandra-0.1.0.jar",
        "cassandra/target/manx-cassandra-0.1.0-lab.jar",
        "cassandra/target/node.classpath",
        "lab/target/manx-lab-0.1.0.jar",
        "lab/target/lab.classpath",
        "lab/target/lib/library.jar",
        "policy/target/policy.jar"
      })
  void everyProductIsMissed(String product) throws Exception {
    run();
    Files.delete(checkout.resolve(product));
    assertThat(run()).contains("manx: building", "code 0");
    assertThat(checkout.resolve(product)).exists();
  }

  @Test
  void aChangeInAnyModuleIsBuilt() throws Exception {
    run();
    for (String module : RootPom.ownModules()) {
      Files.createFile(checkout.resolve(module + "/src/main/Changed.java"));
      assertThat(run()).as(module).contains("manx: building", "code 0");
    }
  }

  @Test
  void anInterruptedBuildIsBuiltAgain() throws Exception {
    run();
    Files.createFile(checkout.resolve(".manx/unfinished-build"));
    Path half = Files.createFile(checkout.resolve("policy/target/Half.class"));
    assertThat(run()).contains("manx: building", "code 0");
    assertThat(half).doesNotExist();
    assertThat(run()).doesNotContain("building");
  }

  @Test
  void aBuildThatFailsSaysSoAndIsTriedAgain() throws Exception {
    Path broken = Files.createFile(checkout.resolve("broken"));
    assertThat(run()).contains("[ERROR] no such luck", "the build failed", "code 1");
    Files.delete(broken);
    assertThat(run()).contains("ran\n", "code 0");
    assertThat(builds()).isEqualTo(2);
  }

  /** Without flock the lock is a folder, which a process that is killed leaves behind. */
  @Test
  void theLockOfADeadProcessIsTakenOver() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path lock = Files.createDirectories(checkout.resolve(".manx/build.lock.d"));
    Files.writeString(lock.resolve("holder"), dead.pid() + "\n");
    assertThat(output(start(Map.of("PATH", tools())))).contains("ran\n", "code 0");
    assertThat(lock).doesNotExist();
  }

  @Test
  void anyJdkFrom17OnRunsTheToolsAndNodesGet17() throws Exception {
    String jvms = root.resolve("jvms").toString();
    assertThat(run()).contains("-Dmanx.node-java=" + jvms + "/jdk-17\n");
    jdk("jdk-25", "25");
    assertThat(output(start(Map.of("JAVA_HOME", jvms + "/jdk-25"))))
        .contains(
            "--sun-misc-unsafe-memory-access=allow", "-Dmanx.node-java=" + jvms + "/jdk-17\n");
    jdk("jdk-11", "11.0.2");
    assertThat(output(start(Map.of("JAVA_HOME", jvms + "/jdk-11")))).contains("ran\n", "code 0");
    Map<String, String> onlyOld =
        Map.of("JAVA_HOME", jvms + "/jdk-11", "MANX_JVMS", root.resolve("none").toString());
    assertThat(output(start(onlyOld))).contains("needs a JDK 17 or later", "code 1");
    Map<String, String> onlyNew =
        Map.of("JAVA_HOME", jvms + "/jdk-25", "MANX_JVMS", root.resolve("none").toString());
    assertThat(output(start(onlyNew))).contains("-Dmanx.node-java=\n", "code 0");
  }

  /** As in a container, whose image has only the Java that runs the node. */
  @Test
  void aBuiltCheckoutRunsWithoutACompiler() throws Exception {
    run();
    Files.delete(root.resolve("jvms/jdk-17/bin/javac"));
    assertThat(run()).contains("ran\n").endsWith("code 0");
    String java = root.resolve("jvms/jdk-17").toString();
    Map<String, String> home =
        Map.of("JAVA_HOME", java, "MANX_JVMS", root.resolve("none").toString());
    assertThat(output(start(home))).contains("ran\n").endsWith("code 0");
    Files.createFile(checkout.resolve("policy/src/main/New.java"));
    assertThat(run())
        .contains("manx: needs to be built, which takes a JDK 17 or later (java and javac).")
        .endsWith("code 1");
    assertThat(builds()).isEqualTo(1);
    jdk("jdk-21", "21.0.1");
    assertThat(run()).contains("manx: building", "code 0");
  }

  /** `check --home` looks at the Java of the caller's shell, which starts the node. */
  @Test
  void theProgramSeesTheCallersJavaAndTheBuildItsOwn() throws Exception {
    String jvms = root.resolve("jvms").toString();
    jdk("jdk-11", "11.0.2");
    Map<String, String> path =
        Map.of("PATH", jvms + "/jdk-11/bin" + File.pathSeparator + tools("flock"));
    assertThat(output(start(path))).contains("caller's none\n", "ran\n", "code 0");
    assertThat(checkout.resolve("builds")).hasContent("build by " + jvms + "/jdk-17");
    assertThat(output(start(Map.of("JAVA_HOME", jvms + "/jdk-11"))))
        .contains("caller's " + jvms + "/jdk-11\n", "-Dmanx.node-java=" + jvms + "/jdk-17\n");
  }
}
