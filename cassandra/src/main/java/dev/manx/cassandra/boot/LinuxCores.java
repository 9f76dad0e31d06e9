/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.boot.HostCores.Times;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * The times of this JVM's cores on Linux: of the cores that it may run on, in use by any process,
 * or of its container's quota of them, in use by the container.
 */
/*
 * As the JDK does: stolen time is neither use nor idleness. A container's shares are no limit: it
 * has the host's cores.
 */
final class LinuxCores implements HostCores.Source {
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final String CORE = "cpu";
  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final int USER = 1;
  private static final int NICE = 2;
  private static final int SYSTEM = 3;
  private static final int IDLE = 4;
  private static final int WAITS_FOR_DISK = 5;
  private static final int INTERRUPTS = 6;
  private static final int SOFT_INTERRUPTS = 7;

  private final Path root;
  private final CoreQuota quota;

  /**
   * @param root the folder of {@code proc}
   */
  LinuxCores(Path root) {
    this.root = root;
    quota = CoreQuota.of(root);
  }

  @Override
  public Times read(long nowNanos) throws IOException {
    BitSet allowed = allowed();
    int cores = 0;
    long used = 0;
    long idle = 0;
    try (BufferedReader lines = Files.newBufferedReader(root.resolve("proc/stat"))) {
      String line = lines.readLine();
      // The cores come first, after the sum of all.
      while (line != null && line.startsWith(CORE)) {
        String[] fields = BLANKS.split(line);
        if (!fields[0].equals(CORE) && allowed.get(number(fields[0].substring(CORE.length())))) {
          cores++;
          used += sum(fields, USER, NICE, SYSTEM, INTERRUPTS, SOFT_INTERRUPTS);
          idle += sum(fields, IDLE, WAITS_FOR_DISK);
        }
        line = lines.readLine();
      }
    }
    double limit = quota.cores();
    return limit < cores
        ? new Times(true, quota.usedNanos(), nowNanos, limit)
        : new Times(false, used, used + idle, 1);
  }

  private static long sum(String[] fields, int... columns) {
    long sum = 0;
    for (int column : columns) {
      sum += Long.parseLong(fields[column]);
    }
    return sum;
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  /** The cores that the process may run on, including cores that do not exist. */
  private BitSet allowed() throws IOException {
    BitSet allowed = new BitSet();
    for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
      if (line.startsWith(ALLOWED)) {
        for (String range : line.substring(ALLOWED.length()).strip().split(",")) {
          String[] ends = range.split("-");
          allowed.set(number(ends[0]), number(ends[ends.length - 1]) + 1);
        }
      }
    }
    return allowed;
  }
}
