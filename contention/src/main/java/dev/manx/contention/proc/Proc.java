/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Reads /proc. A process or thread that ends in the meantime is omitted. */
public final class Proc {
  static final Path ROOT = Path.of("/proc");
  // USER_HZ is 100 on every Linux that Java 17 runs on.
  static final double TICKS_PER_SECOND = 100;
  private static final int CAP_SYS_NICE = 23;
  private static final int PARENT_FIELD = 1;
  private static final int START_FIELD = 19;

  private Proc() {}

  /** The first thread of a process, which represents the process. */
  public static Optional<ProcThread> process(long pid) {
    return thread(pid, pid);
  }

  /** One thread. */
  public static Optional<ProcThread> thread(long pid, long tid) {
    Path folder = ROOT.resolve(pid + "/task/" + tid);
    try {
      String stat = read(folder.resolve("stat"));
      String status = read(folder.resolve("status"));
      Path schedstat = folder.resolve("schedstat");
      return Optional.of(
          ProcThread.parse(stat, status, Files.exists(schedstat) ? read(schedstat) : ""));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** All threads of a process, by id; empty if there is no such process. */
  public static List<ProcThread> threads(long pid) {
    return threads(pid, thread -> {});
  }

  /**
   * All threads of a process, by id.
   *
   * @param read receives each of them when it has just been read
   */
  public static List<ProcThread> threads(long pid, Consumer<ProcThread> read) {
    List<ProcThread> threads = new ArrayList<>();
    numbered(
        ROOT.resolve(pid + "/task"),
        tid ->
            thread(pid, tid)
                .ifPresent(
                    thread -> {
                      read.accept(thread);
                      threads.add(thread);
                    }));
    threads.sort(Comparator.comparingInt(ProcThread::tid));
    return threads;
  }

  /** Visits the entries of a folder whose names are numbers; none if it has vanished. */
  private static void numbered(Path folder, LongConsumer each) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
      for (Path entry : entries) {
        each.accept(Long.parseLong(entry.getFileName().toString()));
      }
    } catch (IOException | DirectoryIteratorException e) {
      // ended in the meantime
    }
  }

  /**
   * The processes that a process, or one of these processes, has started since a time: those whose
   * chain of parents leads to it by processes that started since. A process whose parent has ended
   * belongs to another parent and is missed.
   *
   * @param sinceTicks as of {@link #ticksSinceBoot}
   */
  public static List<Long> startedBy(long pid, long sinceTicks) {
    Map<Long, List<Long>> children = new HashMap<>();
    numbered(
        ROOT,
        child -> {
          String[] fields = fieldsOfStat(child);
          if (fields.length > START_FIELD && Long.parseLong(fields[START_FIELD]) >= sinceTicks) {
            long parent = Long.parseLong(fields[PARENT_FIELD]);
            children.computeIfAbsent(parent, any -> new ArrayList<>()).add(child);
          }
        });
    List<Long> found = new ArrayList<>(children.getOrDefault(pid, List.of()));
    for (int i = 0; i < found.size(); i++) {
      found.addAll(children.getOrDefault(found.get(i), List.of()));
    }
    return found;
  }

  /** The fields after the name, the state first; empty if there is no such process. */
  private static String[] fieldsOfStat(long pid) {
    try {
      return fieldsOfStat(read(ROOT.resolve(pid + "/stat")));
    } catch (IOException e) {
      return new String[0];
    }
  }

  /**
   * The name of the program is in parentheses and may contain any character, parentheses included.
   */
  private static String[] fieldsOfStat(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
  }

  /** The present time on the clock of start times, in clock ticks. */
  public static long ticksSinceBoot() throws IOException {
    String seconds = read(ROOT.resolve("uptime")).split(" ", 2)[0];
    return Math.round(Double.parseDouble(seconds) * TICKS_PER_SECOND);
  }

  /** User and system time of a process so far, seconds; NaN if there is no such process. */
  public static double cpuSeconds(long pid) {
    try {
      return cpuSeconds(read(ROOT.resolve(pid + "/stat")));
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  static double cpuSeconds(String stat) {
    String[] fields = fieldsOfStat(stat);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /**
   * Whether this very process is alive, not a later one with its id. A process whose first thread
   * has ended lives on while another thread does.
   */
  public static boolean isAlive(long pid, long startTicks) {
    return process(pid)
        .filter(process -> process.startTicks() == startTicks)
        .filter(
            process ->
                !process.ended() || threads(pid).stream().anyMatch(thread -> !thread.ended()))
        .isPresent();
  }

  /** Seconds that each core has been idle since boot; empty if unknown. */
  public static Map<Integer, Double> idleSeconds() {
    Map<Integer, Double> idle = new HashMap<>();
    CoreTime.now().forEach((core, time) -> idle.put(core, time.idleSeconds()));
    return idle;
  }

  /**
   * The cores of a list that are online; all of them if the machine does not say which are, or
   * numbers them otherwise, as in some containers.
   */
  public static List<Integer> online(List<Integer> cores) {
    return online(cores, idleSeconds().keySet());
  }

  static List<Integer> online(List<Integer> cores, Set<Integer> known) {
    return areNumberedAlike(cores, known) ? cores.stream().filter(known::contains).toList() : cores;
  }

  /**
   * Whether the numbers of cores that threads may use can be those of {@code /proc/stat}. Threads
   * may use a part of the machine, or more cores than are online; a container that numbers its
   * cores from 0 shows others.
   */
  public static boolean areNumberedAlike(Collection<Integer> usable, Collection<Integer> known) {
    return !known.isEmpty() && (known.containsAll(usable) || usable.containsAll(known));
  }

  /**
   * Whether this process has CAP_SYS_NICE, which lets it set priorities and cores of any other. In
   * a user namespace it does not suffice for lowering a nice level.
   */
  public static boolean maySetPriorities() {
    try {
      String effective = field(read(ROOT.resolve("self/status")), "CapEff");
      return (Long.parseUnsignedLong(effective, 16) >>> CAP_SYS_NICE & 1) != 0;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /** The user that a process acts as; empty if it has ended. */
  public static Optional<String> user(long pid) {
    try {
      String[] ids = field(read(ROOT.resolve(pid + "/status")), "Uid").split("\\s+", -1);
      return ids.length > 1 ? Optional.of(ids[1]) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The cores that this machine may ever have, in Linux's format; empty if it does not say. */
  public static String possibleCores() {
    try {
      return read(Path.of("/sys/devices/system/cpu/possible")).trim();
    } catch (IOException e) {
      return "";
    }
  }

  /** The namespace of this process's ids: a container usually has its own. */
  public static String pidNamespace() {
    try {
      return Files.readSymbolicLink(ROOT.resolve("self/ns/pid")).toString();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Changes with every boot. */
  public static String bootId() {
    try {
      return read(ROOT.resolve("sys/kernel/random/boot_id")).trim();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).trim())
        .findFirst()
        .orElse("");
  }

  static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
