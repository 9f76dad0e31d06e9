/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Finds and stops nodes; only processes with Manx's marker. */
final class OwnProcesses {
  private static final long KILL_SECONDS = 15;

  private OwnProcesses() {}

  /** Nodes with a folder here, running or not, in order. */
  static List<Node> nodes(Path clusterFolder) {
    List<Node> nodes = new ArrayList<>();
    for (int index = 1; index <= 9; index++) {
      Node node = new Node(index, index, clusterFolder.resolve("node" + index));
      if (Files.isDirectory(node.folder())) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /** The running process of a node, if its pid belongs to Manx. */
  static Optional<ProcessHandle> running(Node node, Path clusterFolder) {
    try {
      long pid = Long.parseLong(Files.readString(node.pidFile()).trim());
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .filter(handle -> isOurs(pid, clusterFolder));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** All running processes of a cluster, with or without pid files. */
  static List<ProcessHandle> all(Path clusterFolder) {
    return ProcessHandle.allProcesses()
        .filter(process -> isOurs(process.pid(), clusterFolder))
        .toList();
  }

  /** Whether the process was started for this cluster folder. */
  static boolean isOurs(long pid, Path clusterFolder) {
    return arguments(pid).anyMatch((NodeCommand.MARKER + clusterFolder)::equals);
  }

  /**
   * The folder of the local Manx cluster to which the process belongs; empty if it is not a node.
   */
  static Optional<String> clusterOf(long pid) {
    return arguments(pid)
        .filter(argument -> argument.startsWith(NodeCommand.MARKER))
        .map(argument -> argument.substring(NodeCommand.MARKER.length()))
        .findFirst();
  }

  private static Stream<String> arguments(long pid) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "cmdline"));
      return Arrays.stream(new String(line, StandardCharsets.UTF_8).split("\0", -1));
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /**
   * Asks all processes to end, waits, then ends the rest by force; returns once all have ended.
   *
   * @param termSeconds time for all to end without force
   */
  static void stop(List<ProcessHandle> processes, int termSeconds) {
    processes.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(termSeconds);
    for (ProcessHandle process : processes) {
      if (!gone(process, deadline - System.nanoTime())) {
        process.destroyForcibly();
        gone(process, TimeUnit.SECONDS.toNanos(KILL_SECONDS));
      }
    }
  }

  private static boolean gone(ProcessHandle process, long nanos) {
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + nanos;
      while (true) {
        try {
          process.onExit().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException e) {
          // nodes must have ended before the interrupt is reported
          interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
          return !process.isAlive();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
