/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A running local cluster of stock Apache Cassandra nodes, one JVM each.
 *
 * <p>Closing it, an exception while starting, and the end of this JVM (Ctrl-C included) stop every
 * node that it started. Confined to one thread, except {@link #close}.
 */
public final class LocalCluster implements AutoCloseable {
  private static final long BOOT_SECONDS = 240;
  private static final int DRAIN_SECONDS = 20;

  private final ClusterSettings settings;
  private final Path folder;
  private final boolean temporary;
  private final ManxHome home;
  private final boolean tied;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::stop, "manx-stop-nodes");

  private boolean stopped;

  private LocalCluster(ClusterSettings settings, ManxHome home, Path folder, boolean temporary) {
    this.settings = settings;
    this.home = home;
    this.folder = folder;
    this.temporary = temporary;
    this.tied = temporary;
    for (int index = 1; index <= settings.nodes(); index++) {
      nodes.add(settings.node(index, folder.resolve("node" + index)));
    }
  }

  /**
   * Starts a cluster that ends with this JVM, in a folder that is removed with it.
   *
   * @param work where the folder is made
   * @param progress told what happens, one short line at a time
   * @throws ClusterException if preflight finds something, or a node does not come up
   */
  public static LocalCluster start(
      ClusterSettings settings, ManxHome home, Path work, Consumer<String> progress) {
    try {
      Files.createDirectories(work);
      NodeFiles.removeLeftovers(work);
      Path folder = Files.createTempDirectory(work, "nodes-").toRealPath();
      NodeFiles.own(folder);
      return boot(new LocalCluster(settings, home, folder, true), progress);
    } catch (IOException e) {
      throw new ClusterException("cannot make a folder below " + work + ": " + e, e);
    }
  }

  /**
   * Starts a cluster that goes on when this JVM ends; {@link #down} stops it.
   *
   * @param folder its files; an earlier cluster's data there is removed
   */
  public static void up(
      ClusterSettings settings, ManxHome home, Path folder, Consumer<String> progress) {
    if (!status(folder).stream().allMatch(NodeStatus::stopped)) {
      throw new ClusterException(
          "nodes already run in "
              + folder
              + ": see `./manx cluster status`, `./manx cluster down`");
    }
    LocalCluster cluster = boot(new LocalCluster(settings, home, folder, false), progress);
    Runtime.getRuntime().removeShutdownHook(cluster.hook);
  }

  /** Stops the nodes of a folder that are really ours; returns how many ran. */
  public static int down(Path folder) {
    List<ProcessHandle> running =
        OwnProcesses.nodes(folder).stream()
            .flatMap(node -> OwnProcesses.running(node, folder).stream())
            .toList();
    OwnProcesses.stop(running, DRAIN_SECONDS);
    for (Node node : OwnProcesses.nodes(folder)) {
      node.pidFile().toFile().delete();
    }
    return running.size();
  }

  /** What each node of a folder is doing. */
  public static List<NodeStatus> status(Path folder) {
    return OwnProcesses.nodes(folder).stream()
        .map(
            node ->
                new NodeStatus(
                    node,
                    OwnProcesses.running(node, folder).map(ProcessHandle::pid).orElse(-1L),
                    Readiness.listens(node.address(), Node.NATIVE_PORT)))
        .toList();
  }

  /**
   * One node as {@code cluster status} shows it.
   *
   * @param pid of its process, -1 if it does not run
   * @param serves whether its CQL port answers
   */
  public record NodeStatus(Node node, long pid, boolean serves) {
    /** Whether no process of ours runs. */
    public boolean stopped() {
      return pid < 0;
    }
  }

  private static LocalCluster boot(LocalCluster cluster, Consumer<String> progress) {
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    boolean up = false;
    try {
      cluster.bootNodes(progress);
      up = true;
      return cluster;
    } finally {
      if (!up) {
        cluster.close();
      }
    }
  }

  private void bootNodes(Consumer<String> progress) {
    List<String> findings = Preflight.findings(settings, folder);
    if (!findings.isEmpty()) {
      throw new ClusterException("cannot start:\n  - " + String.join("\n  - ", findings));
    }
    long begin = System.nanoTime();
    for (Node node : nodes) {
      progress.accept("starting " + node.name() + " on " + node.address());
      make(node);
      launch(node, settings);
      if (node.index() == 1) {
        // The others look for the seed as soon as they are up.
        await("node1 to listen", () -> Readiness.listens(node.address(), Node.STORAGE_PORT), begin);
      }
    }
    for (Node node : nodes) {
      progress.accept("waiting for " + node.name() + " to serve");
      await(
          node.name() + " to serve",
          () -> Readiness.listens(node.address(), Node.NATIVE_PORT),
          begin);
    }
    progress.accept("waiting for a whole ring");
    boolean login = settings.cassandraYaml().containsKey("authenticator");
    await("a whole ring", () -> Readiness.ringIsWhole(nodes, login), begin);
    progress.accept(
        nodes.size()
            + " nodes serve after "
            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)
            + " s");
  }

  private static void make(Node node) {
    try {
      // A node starts on empty folders, whatever an earlier cluster left.
      NodeFiles.delete(node.folder());
    } catch (IOException e) {
      throw new ClusterException("cannot empty " + node.folder() + ": " + e, e);
    }
  }

  /**
   * Ends a node at once and without warning, as a crash does; {@link #restart} starts it again.
   *
   * @param index 0 for the first
   */
  public void kill(int index) {
    Process process = processes.get(index);
    process.destroyForcibly();
    process.onExit().join();
  }

  /**
   * Starts a node again on the data that it had, and returns when it serves.
   *
   * @param index 0 for the first
   * @param plugin whether it loads the Manx plugin this time
   * @throws ClusterException if it does not come up
   */
  public void restart(int index, boolean plugin) {
    Node node = nodes.get(index);
    launch(node, settings.withPlugin(plugin));
    long begin = System.nanoTime();
    await(
        node.name() + " to serve",
        () -> Readiness.listens(node.address(), Node.NATIVE_PORT),
        begin);
  }

  private void launch(Node node, ClusterSettings as) {
    try {
      NodeFiles.write(settings, node);
      List<String> command = NodeCommand.of(as, node, home, folder);
      synchronized (this) {
        // The shutdown hook may have been here: nothing starts after it.
        if (stopped) {
          throw new ClusterException("stopped while starting");
        }
        Process process = Spawner.start(command, tied, node.output());
        if (node.index() > processes.size()) {
          processes.add(process);
        } else {
          processes.set(node.index() - 1, process);
        }
        Files.writeString(node.pidFile(), process.pid() + "\n");
      }
    } catch (IOException e) {
      throw new ClusterException("cannot start " + node.name() + ": " + e, e);
    }
  }

  private void await(String what, BooleanSupplier ready, long begin) {
    while (!ready.getAsBoolean()) {
      checkAlive();
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(BOOT_SECONDS)) {
        throw new ClusterException(
            "gave up waiting for "
                + what
                + " after "
                + BOOT_SECONDS
                + " s; the last lines of node1:\n"
                + NodeFiles.tail(nodes.get(0), 20));
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterException("interrupted while waiting for " + what, e);
      }
    }
  }

  /**
   * Checks that every node still runs.
   *
   * @throws ClusterException with the end of its log if one has died
   */
  public void checkAlive() {
    for (int i = 0; i < processes.size(); i++) {
      Process process = processes.get(i);
      if (!process.isAlive()) {
        throw new ClusterException(
            nodes.get(i).name()
                + " has ended with code "
                + process.exitValue()
                + "; the last lines of its log "
                + NodeFiles.tail(nodes.get(i), 20));
      }
    }
  }

  /** The nodes, in order. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** Process ids, in the order of the nodes. */
  public long[] pids() {
    return processes.stream().mapToLong(Process::pid).toArray();
  }

  /** What it was started with. */
  public ClusterSettings settings() {
    return settings;
  }

  /** Stops every node and returns when none is left; calling it again does nothing. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is ending and the hook is at work; stop() below waits for the same processes
    }
    stop();
  }

  private synchronized void stop() {
    stopped = true;
    // The data of a temporary cluster is not needed again, so it need not be flushed.
    OwnProcesses.stop(
        processes.stream().map(Process::toHandle).toList(), temporary ? 3 : DRAIN_SECONDS);
    try {
      if (temporary) {
        NodeFiles.delete(folder);
      }
    } catch (IOException e) {
      // The nodes are gone, which is what matters; the folder may be looked at or removed by hand.
    }
  }
}
