/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.RootPom;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script as called by users. */
@OwnNodes
class CommandEndToEndTest {
  private static final ManxHome HOME = ManxHome.find();
  private static final Pattern JMX_OF_FIRST_THREE =
      Pattern.compile("-Dcassandra\\.jmx\\.local\\.port=7[123]99\\b");
  private static final Path DEMO = HOME.root().resolve("examples/demo.yaml");

  @TempDir Path folder;

  private record Ended(int code, String output) {}

  private Process start(String... arguments) throws IOException {
    // The parent of the tests may ignore SIGINT, which children inherit; a terminal does not.
    List<String> command =
        new ArrayList<>(
            List.of("env", "--default-signal=INT", HOME.root().resolve("manx").toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private Ended run(String... arguments) throws Exception {
    return end(start(arguments));
  }

  private Ended end(Process process) throws Exception {
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ends within 120 s").isTrue();
      return new Ended(process.exitValue(), Files.readString(folder.resolve("output")));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void helpTeachesAndPoliciesAreListed() throws Exception {
    Ended help = run("--help");
    assertThat(help.code()).isZero();
    assertThat(help.output())
        .contains("./manx demo", "cluster", "policies", "report", "Exit codes");
    Ended policies = run("policies");
    assertThat(policies.code()).isZero();
    assertThat(policies.output()).contains("select.low", "order.bottleneck", "fanout.brb-equalmax");
  }

  @Test
  void worksThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("m"), HOME.root().resolve("manx"));
    Process process =
        new ProcessBuilder(link.toString(), "--version")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    // The commit, if this is a repository of git.
    String commit = "( \\(\\p{XDigit}{8}\\))?\n";
    Ended ended = end(process);
    assertThat(ended.output()).matches("manx " + Pattern.quote(RootPom.version()) + commit);
    assertThat(ended.code()).isZero();
  }

  @Test
  void badUsageAndBadFilesEndWithTwo() throws Exception {
    assertThat(run("frobnicate").code()).isEqualTo(2);
    assertThat(run("run").code()).isEqualTo(2);
    Path bad = folder.resolve("bad.yaml");
    Files.writeString(bad, Files.readString(DEMO).replace("rounds: 8", "rouds: 8"));
    Ended ended = run("run", bad.toString());
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.output()).contains(bad + ":", "rouds: unknown key; valid keys");
    Ended missing = run("run", folder.resolve("none.yaml").toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.output()).contains("none.yaml: cannot be read: no such file or folder");
  }

  @Test
  void saysWhichPortIsTakenBeforeAnythingStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.3"), 9042));
      Ended ended = run("run", DEMO.toString(), "--quick");
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.output())
          .contains("port 127.0.0.3:9042 is taken by process " + ProcessHandle.current().pid());
      assertThat(nodesOf(HOME.root())).isEmpty();
    }
  }

  @Test
  void controlCLeavesNothingRunning() throws Exception {
    String options = "\"" + String.join("\", \"", Sooner.once(List.of())) + "\"";
    Process run =
        start(
            "run",
            DEMO.toString(),
            "--quick",
            "--set=cluster.jit=c1",
            "--set=cluster.jvm-options=[" + options + "]");
    List<ProcessHandle> nodes = List.of();
    try {
      for (int tries = 0; nodes.size() < 3 && tries < 600 && run.isAlive(); tries++) {
        Thread.sleep(100);
        nodes = nodesOf(HOME.root());
      }
      assertThat(nodes).as(Files.readString(folder.resolve("output"))).hasSize(3);
      // The signal of a terminal on Ctrl-C; exec in the script makes its process the JVM itself.
      new ProcessBuilder("kill", "-INT", Long.toString(run.pid())).start().waitFor();
      Ended ended = end(run);
      assertThat(ended.code()).isEqualTo(130);
      assertThat(ended.output()).contains("interrupted: stopping");
      assertThat(nodes).noneMatch(ProcessHandle::isAlive);
      try (Stream<Path> left = Files.list(HOME.root().resolve(".manx/work"))) {
        String owner = run.pid() + " ";
        assertThat(left).noneMatch(each -> begins(each.resolve(".owner"), owner));
      }
    } finally {
      run.destroyForcibly();
      nodes.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static boolean begins(Path file, String text) {
    try {
      return Files.readString(file).startsWith(text);
    } catch (IOException e) {
      return false; // it is being removed
    }
  }

  /** Nodes that {@code ./manx} started from this checkout, on its own addresses, and still run. */
  static List<ProcessHandle> nodesOf(Path root) {
    return ProcessHandle.allProcesses()
        .filter(process -> commandLine(process).contains("-Dmanx.cluster=" + root))
        .filter(process -> JMX_OF_FIRST_THREE.matcher(commandLine(process)).find())
        .toList();
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException e) {
      return "";
    }
  }
}
