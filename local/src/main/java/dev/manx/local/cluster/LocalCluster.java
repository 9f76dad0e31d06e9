/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import dev.manx.load.ShutdownHook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A running local cluster of stock Apache Cassandra nodes, one JVM each.
 *
 * <p>Closing it, an exception while starting, and the end of this JVM (Ctrl-C included) stop every
 * node that it started. Confined to one thread, except {@link #close}.
 */
public final class LocalCluster implements AutoCloseable {
  private static final int DRAIN_SECONDS = 20;

  private final ClusterSettings settings;
  private final Path folder;
  private final boolean temporary;
  private final ManxHome home;
  private final List<Node> nodes = new ArrayList<>();
  private final NodeProcesses processes;
  private final ShutdownHook hook = new ShutdownHook("manx-stop-nodes", this::stop);

  private LocalCluster(ClusterSettings settings, ManxHome home, Path folder, boolean temporary) {
    this.settings = settings;
    this.home = home;
    this.folder = folder;
    this.temporary = temporary;
    this.processes = new NodeProcesses(temporary);
    for (int index = 1; index <= settings.nodes(); index++) {
      nodes.add(settings.node(index, folder.resolve("node" + index)));
    }
  }

  /**
   * Starts a cluster that stops with this JVM, in a folder that is then removed.
   *
   * @param work parent of the folder
   * @param progress receives the progress, one short line at a time
   * @throws ClusterException if preflight has findings, or a node does not start
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
   * Starts a cluster that outlives this JVM; {@link #down} stops it.
   *
   * @param folder its files; an earlier cluster's data is removed
   * @throws ClusterException if nodes run there, or a node's folder has files of another program
   */
  public static void up(
      ClusterSettings settings, ManxHome home, Path folder, Consumer<String> progress) {
    if (!status(folder).stream().allMatch(NodeStatus::stopped)) {
      throw new ClusterException(
          "nodes already run in "
              + folder
              + ": see `./manx cluster status`, `./manx cluster down`");
    }
    LocalCluster made = new LocalCluster(settings, home, folder, false);
    made.nodes.forEach(LocalCluster::checkOurs);
    LocalCluster cluster = boot(made, progress);
    if (!cluster.hook.remove()) {
      throw new IllegalStateException("the JVM is ending, which stops the nodes");
    }
  }

  /**
   * Stops the nodes of a folder that belong to Manx, also those whose files are gone.
   *
   * @return number of nodes stopped
   * @throws ClusterException if one cannot be stopped
   */
  public static int down(Path folder) {
    List<ProcessHandle> running = OwnProcesses.all(folder);
    OwnProcesses.stop(running, DRAIN_SECONDS);
    List<Long> left = OwnProcesses.all(folder).stream().map(ProcessHandle::pid).toList();
    if (!left.isEmpty()) {
      throw new ClusterException("these processes of " + folder + " cannot be stopped: " + left);
    }
    for (Node node : OwnProcesses.nodes(folder)) {
      node.pidFile().toFile().delete();
    }
    return running.size();
  }

  /** The status of each node of a folder. */
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
   * A node as shown by {@code cluster status}.
   *
   * @param pid of its process, -1 if it does not run
   * @param serves whether its CQL port answers
   */
  public record NodeStatus(Node node, long pid, boolean serves) {
    /** Whether the node's process is not running. */
    public boolean stopped() {
      return pid < 0;
    }
  }

  private static LocalCluster boot(LocalCluster cluster, Consumer<String> progress) {
    cluster.hook.add();
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
    forgetMore(folder, nodes.size());
    long begin = System.nanoTime();
    for (Node node : nodes) {
      progress.accept("starting " + node.name() + " on " + node.address());
      make(node);
      launch(node, settings, home);
      if (node.index() == 1) {
        // The other nodes contact the seed as soon as they start.
        processes.await(
            node, "to listen", () -> Readiness.listens(node.address(), Node.STORAGE_PORT));
      }
    }
    for (Node node : nodes) {
      progress.accept("waiting for " + node.name() + " to serve");
      processes.awaitServing(List.of(node));
    }
    progress.accept("waiting for a whole ring");
    awaitWholeRing();
    for (Node node : nodes) {
      awaitManx(node, settings, 0);
    }
    progress.accept(
        (nodes.size() == 1 ? "1 node serves" : nodes.size() + " nodes serve")
            + " after "
            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)
            + " s");
  }

  private void awaitWholeRing() {
    long inRing = nodes.stream().filter(node -> !settings.isCoordinatorOnly(node.index())).count();
    for (Node node : nodes) {
      long peers = settings.isCoordinatorOnly(node.index()) ? inRing : inRing - 1;
      processes.await(node, "to see a whole ring", () -> Readiness.sees(peers, node, login()));
    }
  }

  private boolean login() {
    return settings.cassandraYaml().containsKey("authenticator");
  }

  /**
   * Waits until Manx, if the node has it, has taken up its mode or stepped aside.
   *
   * @param earlierBytes what its log had before this boot
   */
  private void awaitManx(Node node, ClusterSettings as, long earlierBytes) {
    if (as.plugin()) {
      processes.await(
          node,
          "to have Manx",
          () -> NodeFiles.stepsAside(node, earlierBytes) || Readiness.manxHasBegun(node, login()));
    }
  }

  /** Another program's files would be deleted. */
  private static void checkOurs(Node node) {
    boolean ours;
    try {
      ours = NodeFiles.isOurs(node.folder());
    } catch (IOException e) {
      throw new ClusterException("cannot read " + node.folder() + ": " + e, e);
    }
    if (!ours) {
      throw new ClusterException(
          node.folder()
              + " exists and is not the folder of a Manx node: choose another --dir, or remove it");
    }
  }

  /** Removes the stopped nodes of an earlier cluster that had more than this one. */
  static void forgetMore(Path folder, int nodes) {
    for (Node node : OwnProcesses.nodes(folder)) {
      try {
        if (node.index() > nodes && NodeFiles.isOurs(node.folder())) {
          NodeFiles.delete(node.folder());
        }
      } catch (IOException e) {
        throw new ClusterException("cannot remove " + node.folder() + ": " + e, e);
      }
    }
  }

  private static void make(Node node) {
    try {
      // A node starts with empty folders; files of an earlier cluster are removed.
      NodeFiles.delete(node.folder());
    } catch (IOException e) {
      throw new ClusterException("cannot empty " + node.folder() + ": " + e, e);
    }
  }

  /**
   * Ends a node abruptly, like a crash; {@link #restart} starts it again.
   *
   * @param index 0 for the first
   */
  public void kill(int index) {
    processes.kill(index);
  }

  /**
   * Stops a node like an operator: it drains first.
   *
   * @param index 0 for the first
   */
  public void stop(int index) {
    processes.end(index, DRAIN_SECONDS);
  }

  /**
   * Restarts a node on its data, and returns once it serves, with Manx if it has it.
   *
   * @param index 0 for the first
   * @param plugin whether it loads the Manx plugin this time
   * @throws ClusterException if it does not start
   */
  public void restart(int index, boolean plugin) {
    restart(index, plugin, home);
  }

  /**
   * Restarts a node with another plugin or Cassandra.
   *
   * @param as locations of its jars and its Java
   */
  public void restart(int index, boolean plugin, ManxHome as) {
    Node node = nodes.get(index);
    ClusterSettings again = settings.withPlugin(plugin);
    long earlierBytes = NodeFiles.logBytes(node);
    launch(node, again, as);
    processes.awaitServing(List.of(node));
    awaitManx(node, again, earlierBytes);
  }

  /**
   * Adds a node: it takes separate tokens and streams its data from the others. Returns once it
   * serves and all nodes see it.
   *
   * @param plugin whether it loads the Manx plugin
   */
  public void join(boolean plugin) {
    Node node = settings.node(nodes.size() + 1, folder.resolve("node" + (nodes.size() + 1)));
    make(node);
    nodes.add(node);
    ClusterSettings joining = settings.withPlugin(plugin);
    launch(node, joining, home);
    processes.awaitServing(List.of(node));
    awaitWholeRing();
    awaitManx(node, joining, 0);
  }

  /** Ends the last node, which has left the ring, and removes it from the list. */
  public void forgetLast() {
    processes.removeLast(DRAIN_SECONDS);
    nodes.remove(nodes.size() - 1);
    awaitWholeRing();
  }

  private void launch(Node node, ClusterSettings as, ManxHome from) {
    try {
      NodeFiles.write(settings, node);
    } catch (IOException e) {
      throw new ClusterException("cannot start " + node.name() + ": " + e, e);
    }
    processes.launch(node, NodeCommand.of(as, node, from, folder));
  }

  /**
   * Checks that every node still runs, except those that {@link #kill} or {@link #stop(int)} ended.
   *
   * @throws ClusterException with the end of its log if one has died
   */
  public void checkAlive() {
    processes.checkAlive();
  }

  /** The nodes, in order. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** Process ids, in the order of the nodes. */
  public long[] pids() {
    return processes.pids();
  }

  /** The settings of the cluster. */
  public ClusterSettings settings() {
    return settings;
  }

  /** Stops every node and returns once all have ended; further calls have no effect. */
  @Override
  public void close() {
    // If the JVM is ending, or does meanwhile, the hook waits for the same end of nodes and files.
    stop();
    hook.remove();
  }

  private synchronized void stop() {
    // The data of a temporary cluster is not needed again: its nodes need neither flush nor leave
    // the ring.
    processes.stop(temporary ? 0 : DRAIN_SECONDS);
    try {
      if (temporary) {
        NodeFiles.delete(folder);
      }
    } catch (IOException e) {
      // The nodes have ended, which matters most; the folder can be inspected or removed by hand.
    }
  }
}
