/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The processes of a cluster's nodes. Confined to one thread, except {@link #stop}, after which
 * nothing starts.
 */
final class NodeProcesses {
  private static final long BOOT_SECONDS = 240;

  /** The exit code of a process that signal 9 ended. */
  private static final int KILLED = 128 + 9;

  private final boolean tied;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private final Set<Process> meantToEnd = ConcurrentHashMap.newKeySet();
  private boolean stopped;

  /**
   * Starts without processes.
   *
   * @param tied whether the nodes end with this JVM
   */
  NodeProcesses(boolean tied) {
    this.tied = tied;
  }

  /** Starts a node's process, replacing an earlier one. */
  void launch(Node node, List<String> command) {
    synchronized (this) {
      // The shutdown hook may have run.
      if (stopped) {
        throw new ClusterException("stopped while starting");
      }
      try {
        Process process = Spawner.start(command, tied, node.output());
        if (node.index() > processes.size()) {
          nodes.add(node);
          processes.add(process);
        } else {
          processes.set(node.index() - 1, process);
        }
        Files.writeString(node.pidFile(), process.pid() + "\n");
      } catch (IOException e) {
        throw new ClusterException("cannot start " + node.name() + ": " + e, e);
      }
    }
  }

  /** Waits until all given nodes serve CQL. */
  void awaitServing(List<Node> wanted) {
    for (Node node : wanted) {
      await(node, "to serve", () -> Readiness.listens(node.address(), Node.NATIVE_PORT));
    }
  }

  /**
   * Waits until a node fulfils a condition.
   *
   * @param what what it does then
   * @throws ClusterException if a node dies by itself meanwhile, or after some minutes
   */
  void await(Node node, String what, BooleanSupplier ready) {
    await(node, what, ready, BOOT_SECONDS);
  }

  void await(Node node, String what, BooleanSupplier ready, long seconds) {
    long begin = System.nanoTime();
    while (!ready.getAsBoolean()) {
      checkAlive();
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(seconds)) {
        throw new ClusterException(
            "gave up waiting for "
                + node.name()
                + " "
                + what
                + " after "
                + seconds
                + " s; the last lines of its log "
                + NodeFiles.tail(node, 20));
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterException("interrupted while waiting for " + node.name() + " " + what, e);
      }
    }
  }

  /**
   * Checks that every node still runs, except those that {@link #kill} or {@link #end} has ended.
   *
   * @throws ClusterException with the end of its log if one has died
   */
  void checkAlive() {
    for (int i = 0; i < processes.size(); i++) {
      Process process = processes.get(i);
      if (!process.isAlive() && !meantToEnd.contains(process)) {
        throw new ClusterException(
            nodes.get(i).name()
                + " has ended with code "
                + words(process.exitValue())
                + "; the last lines of its log "
                + NodeFiles.tail(nodes.get(i), 20));
      }
    }
  }

  private static String words(int code) {
    return code == KILLED
        ? code + " (killed, for example by the kernel for lack of memory)"
        : Integer.toString(code);
  }

  /** Ends a node abruptly, like a crash. */
  void kill(int index) {
    Process process = processes.get(index);
    meantToEnd.add(process);
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Stops a node like an operator, and by force if it does not end. */
  void end(int index, int seconds) {
    Process process = processes.get(index);
    meantToEnd.add(process);
    OwnProcesses.stop(List.of(process.toHandle()), seconds);
  }

  /** Ends the last node and removes it from the list. */
  void removeLast(int seconds) {
    int last = processes.size() - 1;
    end(last, seconds);
    processes.remove(last);
    nodes.remove(last);
  }

  /** Process ids, in the order of the nodes. */
  long[] pids() {
    return processes.stream().mapToLong(Process::pid).toArray();
  }

  /** Stops every node and returns once all have ended. */
  synchronized void stop(int termSeconds) {
    stopped = true;
    List<ProcessHandle> running = new ArrayList<>();
    processes.forEach(process -> running.add(process.toHandle()));
    OwnProcesses.stop(running, termSeconds);
  }
}
