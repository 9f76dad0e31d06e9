/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeJava;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Six nodes in two datacenters, each a copy of Cassandra's distribution in a separate folder,
 * configured and started according to its guide: with logins, permissions and TLS for clients.
 */
final class OperatedNodes implements AutoCloseable {
  static final int NODES = 6;

  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final Path GUIDE = ManxHome.find().root().resolve("docs/operate/install.md");

  private final Path work;
  private final Map<Integer, Process> running = new TreeMap<>();

  /**
   * Creates the folders.
   *
   * @param distribution an unpacked one
   * @param store with the key and the certificate of all nodes
   */
  OperatedNodes(Path distribution, Path work, Path store, String password) throws Exception {
    this.work = work;
    for (int node = 1; node <= NODES; node++) {
      Files.createDirectories(home(node));
      Path lib = distribution.resolve("lib");
      copy("-r", distribution.resolve("bin"), distribution.resolve("conf"), home(node));
      copy("-rl", lib, home(node));
      Files.copy(store, store(node), StandardCopyOption.REPLACE_EXISTING);
      configure(node, password);
    }
  }

  private static void copy(String how, Path... paths) throws Exception {
    List<String> command = new ArrayList<>(List.of("cp", how));
    Stream.of(paths).forEach(path -> command.add(path.toString()));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  Path home(int node) {
    return work.resolve("node" + node);
  }

  Path conf(int node, String file) {
    return home(node).resolve("conf").resolve(file);
  }

  Path store(int node) {
    return conf(node, "client.p12");
  }

  private void configure(int node, String password) throws IOException {
    Path yaml = conf(node, "cassandra.yaml");
    change(yaml, "cluster_name:.*", "cluster_name: production");
    change(yaml, "allocate_tokens_for_local.*", "auto_bootstrap: false");
    change(yaml, "authenticator:.*", "authenticator: PasswordAuthenticator");
    change(yaml, "authorizer:.*", "authorizer: CassandraAuthorizer");
    change(yaml, "( +- seeds:).*", "$1 \"127.0.0.1:7000,127.0.0.4:7000\"");
    change(yaml, "listen_address:.*", "listen_address: 127.0.0." + node);
    change(yaml, "rpc_address:.*", "rpc_address: 127.0.0." + node);
    change(yaml, "endpoint_snitch:.*", "endpoint_snitch: GossipingPropertyFileSnitch");
    // Two instead of 32, so that reads wait for a thread on a small machine too.
    change(yaml, "concurrent_reads:.*", "concurrent_reads: 2");
    change(
        yaml,
        "client_encryption_options:\\n(?:[ #].*\\n)+",
        "client_encryption_options:\n  enabled: true\n  optional: false\n  store_type: PKCS12\n"
            + ("  keystore: " + store(node) + "\n  keystore_password: " + password + "\n"));
    Files.writeString(
        conf(node, "jvm-server.options"), "\n-Xms512M\n-Xmx512M\n", StandardOpenOption.APPEND);
    change(conf(node, "cassandra-rackdc.properties"), "dc=.*", "dc=dc" + (node + 2) / 3);
    change(conf(node, "cassandra-env.sh"), "JMX_PORT=.*", "JMX_PORT=" + jmxPort(node));
  }

  private static int jmxPort(int node) {
    return 7_200 + node;
  }

  private static void change(Path file, String line, String by) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + line).matcher(Files.readString(file));
    assertThat(found.find()).as(line + " in " + file).isTrue();
    Files.writeString(file, found.replaceFirst(by));
  }

  /** Takes the steps of the guide's section "Install, node by node" before the restart. */
  void install(int node, Path jar) throws IOException {
    String guide = Files.readString(GUIDE);
    Files.copy(
        jar,
        home(node).resolve("lib").resolve(jar.getFileName()),
        StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(conf(node, "manx.yaml"), block(guide, "yaml"));
    Path env = conf(node, "cassandra-env.sh");
    Files.writeString(env, Files.readString(env) + "\n" + block(guide, "sh"));
  }

  /** Exports a node's metrics according to the monitoring guide; returns their address. */
  String export(int node, Path agent, Path rules) throws IOException {
    String line =
        "JVM_OPTS=\"$JVM_OPTS -javaagent:%s=127.0.0.%d:7070:%s\"".formatted(agent, node, rules);
    Path env = conf(node, "cassandra-env.sh");
    Files.writeString(env, Files.readString(env) + "\n" + line + "\n");
    return "127.0.0." + node + ":7070";
  }

  /** The first block of a language, without its indent. */
  private static String block(String guide, String language) {
    Matcher found =
        Pattern.compile("(?s)\\n( *)```" + language + "\\n(.*?)\\n *```").matcher(guide);
    assertThat(found.find()).as(language).isTrue();
    return found.group(2).replaceAll("(?m)^" + found.group(1), "") + "\n";
  }

  /** Starts nodes at the same time, and waits until each takes clients. */
  void start(int... nodes) throws Exception {
    for (int node : nodes) {
      List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
      command.addAll(List.of(home(node).resolve("bin/cassandra").toString(), "-f", "-R"));
      running.put(node, process(node, command, "output.txt").start());
    }
    for (int node : nodes) {
      awaitUp(node);
    }
  }

  private ProcessBuilder process(int node, List<String> command, String output) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(home(node).toFile());
    builder.redirectErrorStream(true).redirectOutput(home(node).resolve(output).toFile());
    Map<String, String> environment = builder.environment();
    environment.put("JAVA_HOME", NodeJava.home().orElseThrow().toString());
    environment.put("CASSANDRA_HOME", home(node).toString());
    // All are new and empty, and do not wait for each other.
    environment.put(
        "JVM_EXTRA_OPTS", "-Dcassandra.superuser_setup_delay_ms=0 -Dcassandra.ring_delay_ms=5000");
    return builder;
  }

  private void awaitUp(int node) throws Exception {
    long deadline = System.nanoTime() + MOST_NANOS;
    while (!listens(node)) {
      assertThat(running.get(node).isAlive() && System.nanoTime() < deadline)
          .as(() -> "node " + node + " takes clients:\n" + said(node))
          .isTrue();
      Thread.sleep(200);
    }
  }

  private static boolean listens(int node) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0." + node, 9042), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The end of what a node printed. */
  private String said(int node) {
    try {
      String all = Files.readString(home(node).resolve("output.txt"), StandardCharsets.ISO_8859_1);
      return all.substring(Math.max(0, all.length() - 4_000));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops nodes like a service manager. */
  void stop(int... nodes) throws Exception {
    for (int node : nodes) {
      running.get(node).destroy();
    }
    for (int node : nodes) {
      assertThat(running.remove(node).waitFor(2, TimeUnit.MINUTES)).isTrue();
    }
  }

  void restart(int... nodes) throws Exception {
    stop(nodes);
    start(nodes);
  }

  /** Runs nodetool for a node and returns its output. */
  String nodetool(int node, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(home(node).resolve("bin/nodetool").toString(), "-p"));
    command.add(Integer.toString(jmxPort(node)));
    command.addAll(List.of(arguments));
    Process process = process(node, command, "nodetool.txt").start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(home(node).resolve("nodetool.txt"));
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @Override
  public void close() {
    running.values().forEach(Process::destroyForcibly);
    running.values().forEach(process -> process.onExit().join());
  }
}
