/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The quota of cores of this process's control group, of version 1 or 2, and their use. */
final class CoreQuota {
  private static final String USED = "usage_usec ";
  private static final long MICROS = 1_000;

  private final Path limits;
  private final Path usage;
  private final boolean isFirst;

  /**
   * @param limits the folder of the quota; null if there is no control group
   * @param usage the folder of the use; a different one in version 1
   */
  private CoreQuota(Path limits, Path usage, boolean isFirst) {
    this.limits = limits;
    this.usage = usage;
    this.isFirst = isFirst;
  }

  /**
   * Finds the control group.
   *
   * @param root the folder of {@code proc}
   */
  static CoreQuota of(Path root) {
    try {
      Map<String, String> groups = new HashMap<>();
      for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
        String[] parts = line.split(":", 3);
        for (String controller : parts[1].split(",")) {
          groups.put(controller, parts[2]);
        }
      }
      List<String> mounts = Files.readAllLines(root.resolve("proc/self/mountinfo"));
      Path limits = folder(root, mounts, groups, "cpu");
      Path usage = folder(root, mounts, groups, "cpuacct");
      if (limits != null && usage != null) {
        return new CoreQuota(limits, usage, true);
      }
      Path both = folder(root, mounts, groups, "");
      return new CoreQuota(both, both, false);
    } catch (IOException | RuntimeException e) {
      return new CoreQuota(null, null, false);
    }
  }

  /**
   * The folder of the process's group, or, if that is not visible, of the topmost visible one.
   *
   * @param controller its name in version 1, empty for version 2
   */
  private static Path folder(
      Path root, List<String> mounts, Map<String, String> groups, String controller) {
    String group = groups.get(controller);
    String type = controller.isEmpty() ? "cgroup2" : "cgroup";
    for (String mount : mounts) {
      String[] halves = mount.split(" - ");
      String[] place = halves[0].split(" ");
      String[] kind = halves[1].split(" ");
      List<String> options = Arrays.asList(kind[kind.length - 1].split(","));
      if (group != null
          && kind[0].equals(type)
          && (controller.isEmpty() || options.contains(controller))) {
        Path top = root.resolve(place[4].substring(1));
        // A container may see only its own group, under the host's name for it.
        String hidden = place[3].equals("/") ? "" : place[3];
        String below = group.startsWith(hidden) ? group.substring(hidden.length()) : "";
        Path own = top.resolve(below.replaceFirst("^/+", ""));
        return Files.isDirectory(own) ? own : top;
      }
    }
    return null;
  }

  /** The quota in cores; infinite if there is none. */
  double cores() throws IOException {
    if (limits == null
        || Files.notExists(limits.resolve(isFirst ? "cpu.cfs_quota_us" : "cpu.max"))) {
      return Double.POSITIVE_INFINITY;
    }
    String[] words =
        isFirst
            ? new String[] {
              text(limits.resolve("cpu.cfs_quota_us")), text(limits.resolve("cpu.cfs_period_us"))
            }
            : text(limits.resolve("cpu.max")).split(" ");
    return words[0].equals("max") || words[0].equals("-1")
        ? Double.POSITIVE_INFINITY
        : Double.parseDouble(words[0]) / Double.parseDouble(words[1]);
  }

  /** The CPU time that the group has used. */
  long usedNanos() throws IOException {
    if (isFirst) {
      return Long.parseLong(text(usage.resolve("cpuacct.usage")));
    }
    for (String line : Files.readAllLines(usage.resolve("cpu.stat"))) {
      if (line.startsWith(USED)) {
        return Long.parseLong(line.substring(USED.length())) * MICROS;
      }
    }
    throw new IOException(USED + "is missing");
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file).strip();
  }
}
