/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** CPU time from Linux's /proc, in seconds; NaN without /proc. */
public final class ProcStat {
  // USER_HZ is 100 on every Linux that Java 17 runs on.
  private static final double TICKS_PER_SECOND = 100;

  // Names of HotSpot's threads, cut to 15 characters by Linux.
  private static final Pattern COMPILER = Pattern.compile("^C[12] Compiler");
  private static final Pattern COLLECTOR = Pattern.compile("^(GC Thread|G1 |VM Thread)");

  private ProcStat() {}

  /** User and system time of a process so far. */
  public static double processSeconds(long pid) {
    try {
      return processSeconds(read(Path.of("/proc", Long.toString(pid), "stat")));
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /**
   * The name of the program is in parentheses and may contain any character, parentheses included.
   */
  static double processSeconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** The compilers' and collectors' threads of a JVM; empty if the process does not exist. */
  static Optional<Threads> threads(long pid) {
    Map<String, Double> compilers = new HashMap<>();
    Map<String, Double> collectors = new HashMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        String name = name(thread);
        if (COMPILER.matcher(name).find()) {
          compilers.put(thread.getFileName().toString(), threadSeconds(thread));
        } else if (COLLECTOR.matcher(name).find()) {
          collectors.put(thread.getFileName().toString(), threadSeconds(thread));
        }
      }
      return Optional.of(new Threads(compilers, collectors));
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty();
    }
  }

  /** Empty if the thread has ended meanwhile. */
  private static String name(Path thread) {
    try {
      return read(thread.resolve("comm")).trim();
    } catch (IOException e) {
      return "";
    }
  }

  private static double threadSeconds(Path thread) {
    try {
      return Long.parseLong(read(thread.resolve("schedstat")).split(" ", -1)[0]) / 1e9;
    } catch (IOException e) {
      return 0;
    }
  }

  /** CPU time of the whole machine so far. */
  public static Machine machine() {
    try {
      return machine(read(Path.of("/proc/stat")));
    } catch (IOException e) {
      return new Machine(Double.NaN, Double.NaN);
    }
  }

  /** Fields of the first line: user nice system idle iowait irq softirq steal ... */
  static Machine machine(String stat) {
    String[] fields = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
    long busy = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(fields[field]);
    }
    return new Machine(busy / TICKS_PER_SECOND, Long.parseLong(fields[8]) / TICKS_PER_SECOND);
  }

  /**
   * CPU time of the machine, all cores together.
   *
   * @param busySeconds all processes and the kernel
   * @param stealSeconds taken by other guests of the same host
   */
  public record Machine(double busySeconds, double stealSeconds) {}

  /** CPU time of running threads, by thread. */
  record Threads(Map<String, Double> compilerSeconds, Map<String, Double> collectorSeconds) {}

  /**
   * CPU time of a JVM's service threads.
   *
   * @param compilerSeconds of the just-in-time compilers
   * @param collectorSeconds of the garbage collector and of the VM thread, which runs its pauses
   */
  public record Upkeep(double compilerSeconds, double collectorSeconds) {}

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
