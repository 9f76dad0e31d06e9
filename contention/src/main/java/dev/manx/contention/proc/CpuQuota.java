/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The CPU quota of the control groups of a process, version 1 or 2. Groups are nested, and each of
 * them may have a quota.
 *
 * @param cores the smallest quota, in cores
 * @param throttledSeconds time so far in which each group with a quota kept runnable threads off
 *     their cores, by the file of its statistics; summed over cores
 */
public record CpuQuota(double cores, Map<Path, Double> throttledSeconds) {
  private static final String STATISTICS = "cpu.stat";

  /** Copies the map. */
  public CpuQuota {
    throttledSeconds = Map.copyOf(throttledSeconds);
  }

  /** The quota of a process; empty without one, or if it cannot be read. */
  public static Optional<CpuQuota> of(long pid) {
    try {
      return read(
          folders(
              Proc.read(Proc.ROOT.resolve(pid + "/cgroup")),
              Proc.read(Proc.ROOT.resolve("self/mountinfo"))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The folders of a process's groups, its own first; empty if its groups are outside of this mount
   * namespace.
   *
   * @param groups text of {@code /proc/PID/cgroup}
   * @param mounts text of {@code /proc/self/mountinfo}
   */
  static List<Path> folders(String groups, String mounts) {
    Optional<String> first = group(groups, "cpu");
    return first.isPresent()
        ? folders(first.get(), mounts, "cgroup", "cpu")
        : group(groups, "").map(own -> folders(own, mounts, "cgroup2", "")).orElse(List.of());
  }

  /** The group of a controller; version 2 has none named. */
  private static Optional<String> group(String groups, String controller) {
    return groups
        .lines()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3)
        .filter(parts -> List.of(parts[1].split(",", -1)).contains(controller))
        .map(parts -> parts[2])
        .findFirst();
  }

  private static List<Path> folders(String group, String mounts, String type, String controller) {
    for (String line : mounts.lines().toList()) {
      String[] sides = line.split(" - ", 2);
      String[] left = sides[0].split(" ", -1);
      String[] right = sides.length == 2 ? sides[1].split(" ", -1) : new String[0];
      if (left.length > 4
          && right.length > 2
          && right[0].equals(type)
          && (controller.isEmpty() || List.of(right[2].split(",", -1)).contains(controller))) {
        return below(left[3], Path.of(left[4]), group);
      }
    }
    return List.of();
  }

  /** A container may mount its own group only, whose name is then the root of the mount. */
  private static List<Path> below(String root, Path mount, String group) {
    Path own = Path.of(group);
    if (group.contains("..") || !own.startsWith(root)) {
      return List.of();
    }
    List<Path> folders = new ArrayList<>();
    for (Path path = Path.of(root).relativize(own); path != null; path = path.getParent()) {
      folders.add(path.toString().isEmpty() ? mount : mount.resolve(path));
    }
    if (!folders.contains(mount)) {
      folders.add(mount);
    }
    return folders;
  }

  /** The quota of nested groups. */
  static Optional<CpuQuota> read(List<Path> folders) {
    double cores = Double.POSITIVE_INFINITY;
    Map<Path, Double> throttled = new LinkedHashMap<>();
    for (Path folder : folders) {
      double own = cores(folder);
      if (Double.isFinite(own)) {
        Path statistics = folder.resolve(STATISTICS);
        throttled.put(statistics, throttledSeconds(statistics));
        cores = Math.min(cores, own);
      }
    }
    return throttled.isEmpty() ? Optional.empty() : Optional.of(new CpuQuota(cores, throttled));
  }

  private static double cores(Path folder) {
    String[] unified = text(folder.resolve("cpu.max")).trim().split(" ", -1);
    String quota = unified.length == 2 ? unified[0] : text(folder.resolve("cpu.cfs_quota_us"));
    String period = unified.length == 2 ? unified[1] : text(folder.resolve("cpu.cfs_period_us"));
    // "max" and "-1" are no quota.
    return quota.trim().matches("[0-9]+") && period.trim().matches("[1-9][0-9]*")
        ? Double.parseDouble(quota.trim()) / Double.parseDouble(period.trim())
        : Double.POSITIVE_INFINITY;
  }

  private static double throttledSeconds(Path statistics) {
    for (String line : text(statistics).lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("throttled_usec")) {
        return Long.parseLong(words[1]) / 1e6;
      } else if (words[0].equals("throttled_time")) {
        return Long.parseLong(words[1]) / 1e9;
      }
    }
    return 0;
  }

  /** Empty if there is no such file. */
  private static String text(Path file) {
    try {
      return Proc.read(file);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Seconds throttled since an earlier reading, by the group that was throttled most; summed over
   * cores, so that it can be more than the time between the readings.
   */
  public double throttledSince(CpuQuota earlier) {
    return throttledSeconds.entrySet().stream()
        .filter(group -> earlier.throttledSeconds.containsKey(group.getKey()))
        .mapToDouble(group -> group.getValue() - earlier.throttledSeconds.get(group.getKey()))
        .max()
        .orElse(0);
  }
}
