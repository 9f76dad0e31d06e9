/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import com.sun.management.OperatingSystemMXBean;
import dev.manx.policy.config.Units;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Runs checks before the start; each finding gives the problem and a remedy. */
public final class Preflight {
  // In addition to its heap a node uses memory for class data, code, threads and network buffers.
  private static final long BESIDE_HEAP_BYTES = 450L << 20;
  private static final long COMMIT_LOG_BYTES = 256L << 20;

  /** The reason why no node can start, and the remedy. */
  static final String NO_JAVA =
      "no Java "
          + NodeJava.RELEASE
          + " was found, and Cassandra 5.0 supports no later one: install it (apt-get install"
          + " openjdk-17-jdk-headless), or set MANX_NODE_JAVA_HOME to its folder; this program itself"
          + " may stay on Java "
          + Runtime.version().feature();

  private Preflight() {}

  /**
   * All obstacles to a cluster; empty if there are none.
   *
   * @param folder folder for its files
   */
  public static List<String> findings(ClusterSettings settings, Path folder) {
    List<String> findings = new ArrayList<>();
    java(findings, NodeJava.home());
    ports(findings, settings);
    memory(findings, settings, availableMemory());
    disk(findings, settings, folder);
    return findings;
  }

  static void java(List<String> findings, Optional<Path> nodeJava) {
    if (nodeJava.isEmpty()) {
      findings.add(NO_JAVA);
    }
  }

  private static void ports(List<String> all, ClusterSettings settings) {
    List<String> findings = new ArrayList<>();
    for (int index = 1; index <= settings.nodes(); index++) {
      Node node = settings.node(index, Path.of(""));
      if (ListeningPorts.refusal(node.address(), 0).isPresent()) {
        findings.add(
            "address "
                + node.address()
                + " cannot be bound: on macOS run `sudo ifconfig lo0 alias "
                + node.address()
                + "`; on Linux all of 127.0.0.0/8 should be on lo (`ip addr show lo`)");
        continue;
      }
      port(findings, node.address(), Node.STORAGE_PORT);
      port(findings, node.address(), Node.NATIVE_PORT);
      port(findings, "127.0.0.1", node.jmxPort());
    }
    // A Manx cluster holds all ports: one finding is enough.
    findings.stream().distinct().forEach(all::add);
  }

  static void port(List<String> findings, String address, int port) {
    if (ListeningPorts.refusal(address, port).isEmpty()) {
      return;
    }
    String where = "port " + address + ":" + port;
    Optional<ProcessHandle> holder = ListeningPorts.listener(address, port);
    Optional<String> cluster = holder.flatMap(process -> OwnProcesses.clusterOf(process.pid()));
    if (cluster.isPresent()) {
      findings.add(
          "a cluster of Manx runs in "
              + cluster.get()
              + ": let it end, or stop it with `./manx cluster down --dir "
              + cluster.get()
              + "`");
    } else if (holder.isPresent()) {
      findings.add(
          where
              + " is taken by process "
              + holder.get().pid()
              + " ("
              + holder.get().info().command().orElse("its name cannot be seen")
              + "): stop it first");
    } else {
      findings.add(
          where + " is taken: find its owner with `ss -ltnp | grep " + port + "` and stop it");
    }
  }

  static void memory(List<String> findings, ClusterSettings settings, OptionalLong available) {
    // Memtables keep up to twice the data.
    long wanted =
        settings.nodes() * (settings.heapBytes() + BESIDE_HEAP_BYTES + 2 * settings.dataBytes());
    if (available.isPresent() && available.getAsLong() < wanted) {
      findings.add(
          "memory: "
              + settings.nodes()
              + " nodes need about "
              + Units.bytes(wanted)
              + ", and "
              + Units.bytes(available.getAsLong())
              + " are available: close other programs, or lower cluster.heap, cluster.nodes or"
              + " workload.keys");
    }
  }

  /** Memory for new processes, bytes; within the limit of a container; empty if unknown. */
  public static OptionalLong availableMemory() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemAvailable:")) {
          long ofHost = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
          return OptionalLong.of(Math.min(ofHost, totalMemory()));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // not Linux: available memory is unknown
    }
    return OptionalLong.empty();
  }

  /** The machine's memory; in a container with a limit, that limit. */
  private static long totalMemory() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Long.MAX_VALUE;
  }

  private static void disk(List<String> findings, ClusterSettings settings, Path folder) {
    long wanted = settings.nodes() * (2 * settings.dataBytes() + COMMIT_LOG_BYTES);
    try {
      Files.createDirectories(folder);
      long usable = Files.getFileStore(folder).getUsableSpace();
      if (usable < wanted) {
        findings.add(
            "disk: "
                + Units.bytes(wanted)
                + " needed in "
                + folder
                + ", "
                + Units.bytes(usable)
                + " free: make room, or make the checkout's folder .manx a symbolic link to a folder"
                + " on another disk");
      }
    } catch (IOException e) {
      findings.add("folder " + folder + " cannot be written (" + e + "): choose another");
    }
  }
}
