/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A quota of CPU for one process by a cgroup of its own, version 1 or 2, where this user may make
 * one: usually root, or inside a container with a writable /sys/fs/cgroup.
 */
final class CpuLimit implements AutoCloseable {
  /**
   * Short, so that a throttled service stutters in milliseconds and not for a tenth of a second.
   */
  private static final long PERIOD_MICROS = 10_000;

  private static final long LEAST_QUOTA_MICROS = 1_000;
  private static final String PREFIX = "manx-";

  private final Path group;
  private final boolean second;

  private CpuLimit(Path group, boolean second) {
    this.group = group;
    this.second = second;
  }

  /** A group with the process in it, without a limit yet; empty if none can be had. */
  static Optional<CpuLimit> of(long pid) {
    for (String mount : List.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct")) {
      Optional<CpuLimit> first = below(Path.of(mount), "cpu.cfs_quota_us", false, pid);
      if (first.isPresent()) {
        return first;
      }
    }
    return below(Path.of("/sys/fs/cgroup"), "cgroup.subtree_control", true, pid);
  }

  private static Optional<CpuLimit> below(Path base, String sign, boolean second, long pid) {
    if (!Files.exists(base.resolve(sign))) {
      return Optional.empty();
    }
    Path group = base.resolve(PREFIX + ProcessHandle.current().pid() + "-" + pid);
    try {
      removeLeftovers(base);
      if (second && !Files.readString(base.resolve(sign)).contains("cpu")) {
        Files.writeString(base.resolve(sign), "+cpu");
      }
      Files.createDirectory(group);
      CpuLimit limit = new CpuLimit(group, second);
      limit.lift();
      Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
      return Optional.of(limit);
    } catch (IOException e) {
      // Not permitted: the caller has another way.
      group.toFile().delete();
      return Optional.empty();
    }
  }

  /** Groups that earlier runs could not remove; those in use refuse to go. */
  private static void removeLeftovers(Path base) throws IOException {
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path group : groups) {
        group.toFile().delete();
      }
    }
  }

  /** Lets the process have so many cores, in steps of a millisecond of every ten. */
  void limit(double cores) throws IOException {
    long quota = Math.max(LEAST_QUOTA_MICROS, Math.round(cores * PERIOD_MICROS));
    if (second) {
      Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
    }
  }

  /** No limit any more. */
  void lift() throws IOException {
    Files.writeString(
        group.resolve(second ? "cpu.max" : "cpu.cfs_quota_us"), second ? "max" : "-1");
  }

  /** How it stands in the report. */
  String describe() {
    return "a CPU quota of a cgroup, version " + (second ? 2 : 1);
  }

  /** Removes the group once its process has ended; one that runs on stays, without a limit. */
  @Override
  public void close() throws IOException {
    if (!group.toFile().delete()) {
      lift();
    }
  }
}
