/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.server.CacheServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Redis processes on 127.0.0.1, arranged by a test: a Cluster, or Sentinels. */
final class RedisNodes implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final int ATTEMPTS = 5;

  /** Time without an answer after which a node counts as lost; long, so that no pause counts. */
  private static final String PATIENCE_MILLIS = "600000";

  /** The settings of one attempt to start, with new ports. */
  private interface Settings {
    List<String> next() throws IOException;
  }

  private final Path folder;
  private final Map<Integer, Process> byPort = new TreeMap<>();
  private final Map<Integer, Process> scripts = new TreeMap<>();

  /**
   * @param folder for the files of the processes
   */
  RedisNodes(Path folder) {
    this.folder = folder;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /** Starts an instance; returns its port. */
  int start(String... settings) throws Exception {
    return startOnFreePort(() -> List.of(settings));
  }

  /**
   * Starts an instance that also listens with TLS, with a self-signed certificate for 127.0.0.1;
   * returns the TLS port.
   *
   * @param asksClients whether clients need a certificate of that authority
   */
  int startTls(Path certificate, Path key, boolean asksClients) throws Exception {
    int[] tls = new int[1];
    startOnFreePort(
        () -> {
          tls[0] = freePort();
          return List.of(
              "--save",
              "",
              "--tls-port",
              Integer.toString(tls[0]),
              "--tls-cert-file",
              certificate.toString(),
              "--tls-key-file",
              key.toString(),
              "--tls-ca-cert-file",
              certificate.toString(),
              "--tls-auth-clients",
              asksClients ? "yes" : "no");
        });
    return tls[0];
  }

  /** Retries with other ports, because another process may take a free port first. */
  private int startOnFreePort(Settings settings) throws Exception {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = freePort();
      try {
        start(port, settings.next());
        return port;
      } catch (IOException e) {
        last = e;
        byPort.remove(port).destroyForcibly().waitFor();
      }
    }
    throw last;
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
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(port + ".log").toFile())
            .start();
    byPort.put(port, process);
    // Not an earlier process on this port.
    until(port, "process_id:" + process.pid() + "\r\n", "INFO", "server");
  }

  /**
   * Starts a Cluster with this many masters, which replaces no node before {@link
   * #clusterReplaces}; returns their ports.
   */
  List<Integer> cluster(int masters) throws Exception {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < masters; i++) {
      ports.add(clusterNode());
    }
    for (int i = 0; i < masters; i++) {
      int from = i * SLOTS / masters;
      int to = (i + 1) * SLOTS / masters - 1;
      ask(ports.get(i), "CLUSTER", "ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to));
      meet(ports.get(0), ports.get(i));
    }
    for (int port : ports) {
      until(port, "cluster_state:ok", "CLUSTER", "INFO");
      until(port, "cluster_known_nodes:" + masters, "CLUSTER", "INFO");
    }
    return ports;
  }

  private int clusterNode() throws Exception {
    return startOnFreePort(
        () -> {
          String busPort = Integer.toString(freePort());
          return List.of(
              "--cluster-enabled",
              "yes",
              "--cluster-port",
              busPort,
              "--cluster-config-file",
              "nodes-" + busPort + ".conf",
              "--cluster-node-timeout",
              PATIENCE_MILLIS,
              "--save",
              "");
        });
  }

  /** Introduces one node of a Cluster to another. */
  private static void meet(int port, int other) throws Exception {
    String busPort = ask(other, "CONFIG", "GET", "cluster-port").lines().skip(1).findFirst().get();
    ask(port, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(other), busPort);
  }

  /** Starts a replica of a Cluster's node; returns its port. */
  int clusterReplica(int master) throws Exception {
    int port = clusterNode();
    meet(master, port);
    String id = ask(master, "CLUSTER", "MYID").strip();
    until(port, id, "CLUSTER", "NODES");
    // Rejected until the replica knows the master.
    while (!ask(port, "CLUSTER", "REPLICATE", id).contains("OK")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    until(port, "master_link_status:up", "INFO", "replication");
    return port;
  }

  /** Starts a replica of an instance; returns its port. */
  int replica(int master) throws Exception {
    int replica = start("--save", "", "--replicaof", "127.0.0.1 " + master);
    until(replica, "master_link_status:up", "INFO", "replication");
    return replica;
  }

  /** Lets the other nodes of a Cluster replace one that no longer answers, after a second. */
  void clusterReplaces(int lost) {
    for (int port : byPort.keySet()) {
      if (port != lost) {
        ask(port, "CONFIG", "SET", "cluster-node-timeout", "1000");
      }
    }
  }

  /**
   * Starts a Sentinel that watches a master called {@code shop}, and does not replace it before
   * {@link #sentinelReplaces}; returns its port.
   */
  int sentinel(int master) throws Exception {
    return startOnFreePort(
        () -> {
          Path settings = Files.createTempFile(folder, "sentinel-", ".conf");
          Files.writeString(
              settings,
              "sentinel monitor shop 127.0.0.1 "
                  + master
                  + " 1\nsentinel down-after-milliseconds shop "
                  + PATIENCE_MILLIS
                  + "\n"
                  + "sentinel failover-timeout shop 1000\n");
          return List.of(settings.toString(), "--sentinel");
        });
  }

  /** Lets a Sentinel replace its master if that does not answer, after half a second. */
  static void sentinelReplaces(int sentinel) {
    ask(sentinel, "SENTINEL", "SET", "shop", "down-after-milliseconds", "500");
  }

  /** The ports of all started processes. */
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

  /** Sends a command; returns the response as text. */
  static String ask(int port, String... question) {
    return RedisCommand.ask(port, question);
  }

  /** Runs a script until {@link #idle}: the instance answers BUSY to all other clients. */
  void busy(int port) throws Exception {
    ask(port, "CONFIG", "SET", "busy-reply-threshold", "50");
    scripts.put(
        port,
        new ProcessBuilder(
                "redis-cli", "-p", Integer.toString(port), "EVAL", "while true do end", "0")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
    until(port, "BUSY", "DBSIZE");
  }

  /** Ends the script. */
  void idle(int port) throws Exception {
    ask(port, "SCRIPT", "KILL");
    scripts.remove(port).waitFor();
  }

  /** Fills an instance with foreign keys, and disables eviction. */
  static void full(int port) throws Exception {
    ask(port, "CONFIG", "SET", "maxmemory-policy", "noeviction");
    String count = Long.toString(RedisLink.field(ask(port, "INFO", "memory"), "maxmemory") >> 20);
    ask(
        port,
        "EVAL",
        "for i = 1, ARGV[1] do redis.call('SET', 'other' .. i, string.rep('x', 2 ^ 20)) end",
        "0",
        count);
  }

  /** Removes these keys. */
  static void roomy(int port) throws Exception {
    ask(port, "EVAL", "for i = 1, 99 do redis.call('UNLINK', 'other' .. i) end", "0");
  }

  /** Restarts a killed instance, empty. */
  void restart(int port) throws Exception {
    start(port, List.of("--save", ""));
  }

  /** Sends a signal. */
  void signal(String name, int port) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(byPort.get(port).pid())).start();
    kill.waitFor();
  }

  /** Kills an instance. */
  void kill(int port) throws Exception {
    byPort.get(port).destroyForcibly().waitFor();
  }

  @Override
  public void close() throws Exception {
    for (Process process : byPort.values()) {
      process.destroyForcibly().waitFor();
    }
    for (Process script : scripts.values()) {
      script.destroyForcibly().waitFor();
    }
  }
}
