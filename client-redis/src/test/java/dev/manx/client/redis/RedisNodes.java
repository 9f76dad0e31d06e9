/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.server.CacheServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Processes of Redis on 127.0.0.1 that a test arranges: a Cluster, or Sentinels. */
final class RedisNodes implements AutoCloseable {
  private static final int SLOTS = 16_384;

  private final Path folder;
  private final Map<Integer, Process> byPort = new TreeMap<>();

  /**
   * @param folder for what they write
   */
  RedisNodes(Path folder) {
    this.folder = folder;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /** Starts one; its port. */
  int start(String... settings) throws Exception {
    int port = freePort();
    start(port, List.of(settings));
    return port;
  }

  private void start(int port, List<String> settings) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(CacheServer.Kind.REDIS.program().orElseThrow().toString()));
    command.addAll(settings);
    command.addAll(
        List.of(
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--dir",
            folder.toString(),
            "--daemonize",
            "no"));
    byPort.put(
        port,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(port + ".log").toFile())
            .start());
    until(port, "PONG", "PING");
  }

  /** Starts a Cluster of so many masters; their ports. */
  List<Integer> cluster(int masters) throws Exception {
    List<Integer> ports = new ArrayList<>();
    List<Integer> busPorts = new ArrayList<>();
    for (int i = 0; i < masters; i++) {
      int busPort = freePort();
      ports.add(clusterNode(busPort));
      busPorts.add(busPort);
    }
    for (int i = 0; i < masters; i++) {
      int from = i * SLOTS / masters;
      int to = (i + 1) * SLOTS / masters - 1;
      ask(ports.get(i), "CLUSTER", "ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to));
      ask(
          ports.get(0),
          "CLUSTER",
          "MEET",
          "127.0.0.1",
          Integer.toString(ports.get(i)),
          Integer.toString(busPorts.get(i)));
    }
    for (int port : ports) {
      until(port, "cluster_state:ok", "CLUSTER", "INFO");
      until(port, "cluster_known_nodes:" + masters, "CLUSTER", "INFO");
    }
    return ports;
  }

  private int clusterNode(int busPort) throws Exception {
    return start(
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        Integer.toString(busPort),
        "--cluster-config-file",
        "nodes-" + busPort + ".conf",
        "--cluster-node-timeout",
        "1000",
        "--save",
        "");
  }

  /** Starts a replica of a Cluster's node; its port. */
  int clusterReplica(int master) throws Exception {
    int busPort = freePort();
    int port = clusterNode(busPort);
    ask(master, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(port), Integer.toString(busPort));
    String id = ask(master, "CLUSTER", "MYID").strip();
    until(port, id, "CLUSTER", "NODES");
    // Refused until it has heard of the master itself.
    while (!ask(port, "CLUSTER", "REPLICATE", id).contains("OK")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    until(port, "master_link_status:up", "INFO", "replication");
    return port;
  }

  /** Starts a replica of an instance; its port. */
  int replica(int master) throws Exception {
    int replica = start("--save", "", "--replicaof", "127.0.0.1 " + master);
    until(replica, "master_link_status:up", "INFO", "replication");
    return replica;
  }

  /** Starts a Sentinel that watches a master called {@code shop}; its port. */
  int sentinel(int master) throws Exception {
    int port = freePort();
    Path settings = folder.resolve("sentinel-" + port + ".conf");
    Files.writeString(
        settings,
        "sentinel monitor shop 127.0.0.1 "
            + master
            + " 1\nsentinel down-after-milliseconds shop 500\nsentinel failover-timeout shop 1000\n");
    start(port, List.of(settings.toString(), "--sentinel"));
    return port;
  }

  /** The ports of all that were started. */
  List<Integer> ports() {
    return List.copyOf(byPort.keySet());
  }

  /** Waits until an answer contains a text. */
  void until(int port, String text, String... question) throws Exception {
    while (!ask(port, question).contains(text)) {
      if (!byPort.get(port).isAlive()) {
        throw new IOException(Files.readString(folder.resolve(port + ".log")));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Asks one; what it answers, as text. */
  static String ask(int port, String... question) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(port)));
    command.addAll(Arrays.asList(question));
    Process asks = new ProcessBuilder(command).redirectErrorStream(true).start();
    String answer = new String(asks.getInputStream().readAllBytes());
    asks.waitFor();
    return answer;
  }

  /** Starts one again that was killed, with nothing in it. */
  void restart(int port) throws Exception {
    start(port, List.of("--save", ""));
  }

  /** Sends a signal. */
  void signal(String name, int port) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(byPort.get(port).pid())).start();
    kill.waitFor();
  }

  /** Ends one at once. */
  void kill(int port) throws Exception {
    byPort.get(port).destroyForcibly().waitFor();
  }

  @Override
  public void close() throws Exception {
    for (Process process : byPort.values()) {
      process.destroyForcibly().waitFor();
    }
  }
}
