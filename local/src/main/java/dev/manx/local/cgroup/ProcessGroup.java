/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A control group of one process, version 1 or 2, if this user may create one: usually root, or
 * inside a container with a writable /sys/fs/cgroup. One thread at a time.
 */
public final class ProcessGroup implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final String PREFIX = "manx-";

  /** Short, so that a throttled service pauses for milliseconds and not for a tenth of a second. */
  private static final long PERIOD_MICROS = 10_000;

  private static final long LEAST_QUOTA_MICROS = 1_000;
  private static final long UNREACHED = 1_000_000_000;

  private final Map<Controller, Path> folders;
  private final boolean unified;
  private final Set<BlockDevice> limitedDisks = new LinkedHashSet<>();

  private ProcessGroup(Map<Controller, Path> folders, boolean unified) {
    this.folders = folders;
    this.unified = unified;
  }

  /**
   * Creates a group that contains the process, without a limit yet.
   *
   * @throws ControlGroupException if it cannot be created, or the process does not exist
   */
  public static ProcessGroup of(long pid, Set<Controller> controllers) {
    return of(pid, controllers, ROOT);
  }

  static ProcessGroup of(long pid, Set<Controller> controllers, Path root) {
    ProcessGroup group = null;
    boolean ready = false;
    try {
      group = make(PREFIX + ProcessHandle.current().pid() + "-" + pid, controllers, root);
      for (Path folder : group.all()) {
        Files.writeString(folder.resolve("cgroup.procs"), Long.toString(pid));
      }
      ready = true;
      return group;
    } catch (IOException e) {
      throw new ControlGroupException(
          "no control group can be made below "
              + root
              + " ("
              + e.getMessage()
              + "): run as root, on Linux, outside a container that mounts it read-only",
          e);
    } finally {
      if (!ready && group != null) {
        group.remove();
      }
    }
  }

  private static ProcessGroup make(String name, Set<Controller> controllers, Path root)
      throws IOException {
    Map<Controller, Path> folders = new EnumMap<>(Controller.class);
    boolean unified = !controllers.stream().allMatch(one -> one.mount(root).isPresent());
    ProcessGroup group = new ProcessGroup(folders, unified);
    boolean made = false;
    try {
      for (Controller controller : EnumSet.copyOf(controllers)) {
        Path base = unified ? root : controller.mount(root).orElseThrow();
        if (unified) {
          enable(base.resolve("cgroup.subtree_control"), controller);
        }
        Path folder = base.resolve(name);
        if (!folders.containsValue(folder)) {
          removeLeftovers(base, name);
          Files.createDirectory(folder);
        }
        folders.put(controller, folder);
      }
      made = true;
      return group;
    } finally {
      if (!made) {
        group.remove();
      }
    }
  }

  private static void enable(Path control, Controller controller) throws IOException {
    if (!Set.of(Files.readString(control).strip().split(" ", -1)).contains(controller.unified)) {
      Files.writeString(control, "+" + controller.unified);
    }
  }

  /** Removes groups left by earlier runs; the removal of groups in use fails. */
  private static void removeLeftovers(Path base, String own) throws IOException {
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path group : groups) {
        String name = group.getFileName().toString();
        if (name.equals(own) || !hasOwner(name)) {
          group.toFile().delete();
        }
      }
    }
  }

  /** Whether the JVM that made a group is alive: it may be about to put its process there. */
  private static boolean hasOwner(String name) {
    String owner = name.substring(PREFIX.length()).split("-", 2)[0];
    return owner.matches("[0-9]{1,9}") && ProcessHandle.of(Long.parseLong(owner)).isPresent();
  }

  private Set<Path> all() {
    return new LinkedHashSet<>(folders.values());
  }

  private void remove() {
    all().forEach(folder -> folder.toFile().delete());
  }

  /** {@code a control group, version 1}. */
  public String describe() {
    return "a control group, version " + (unified ? 2 : 1);
  }

  /** Limits the cores of the process; to at least one millisecond in every ten. */
  public void limitCores(double cores) throws IOException {
    long quota = Math.max(LEAST_QUOTA_MICROS, Math.round(cores * PERIOD_MICROS));
    if (unified) {
      write(Controller.CPU, "cpu.max", quota + " " + PERIOD_MICROS);
    } else {
      write(Controller.CPU, "cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
      write(Controller.CPU, "cpu.cfs_quota_us", Long.toString(quota));
    }
  }

  /** Removes the limit of cores. */
  public void liftCores() throws IOException {
    write(Controller.CPU, unified ? "cpu.max" : "cpu.cfs_quota_us", unified ? "max" : "-1");
  }

  /** Number of periods with a quota of cores so far. */
  long periods() throws IOException {
    return StatFile.read(folders.get(Controller.CPU).resolve("cpu.stat")).value("nr_periods");
  }

  /** Limits the memory of the process in bytes, page cache included. */
  public void limitMemory(long bytes) throws IOException {
    write(
        Controller.MEMORY, unified ? "memory.max" : "memory.limit_in_bytes", Long.toString(bytes));
  }

  /** Removes the limit of memory. */
  public void liftMemory() throws IOException {
    write(
        Controller.MEMORY,
        unified ? "memory.max" : "memory.limit_in_bytes",
        unified ? "max" : "-1");
  }

  /**
   * The memory that is charged to the group, in bytes.
   *
   * @param used total
   * @param cached part that is page cache
   * @param mapped part that is pages of mapped files, such as libraries
   */
  public record Memory(long used, long cached, long mapped) {
    /** Memory that the kernel could not drop without removing code of the process. */
    public long held() {
      return Math.max(0, used - cached) + mapped;
    }
  }

  /** The memory currently charged to the group. */
  public Memory memory() throws IOException {
    Path folder = folders.get(Controller.MEMORY);
    StatFile stat = StatFile.read(folder.resolve("memory.stat"));
    String used = unified ? "memory.current" : "memory.usage_in_bytes";
    return new Memory(
        Long.parseLong(Files.readString(folder.resolve(used)).strip()),
        stat.value(unified ? "file" : "cache"),
        stat.value(unified ? "file_mapped" : "mapped_file"));
  }

  /** Limits the process's reads per second from a disk. */
  public void limitReads(BlockDevice disk, long perSecond) throws IOException {
    limitedDisks.add(disk);
    write(
        Controller.DISK,
        unified ? "io.max" : "blkio.throttle.read_iops_device",
        disk.name() + (unified ? " riops=" : " ") + perSecond);
  }

  /** Removes the limit of reads. */
  public void liftReads(BlockDevice disk) throws IOException {
    if (unified) {
      write(Controller.DISK, "io.max", disk.name() + " riops=max");
    } else {
      // Version 1 counts reads only under a limit.
      limitReads(disk, UNREACHED);
    }
  }

  /**
   * The group's reads of a disk since they were first limited or lifted.
   *
   * @param count reads
   * @param bytes read
   */
  public record DiskReads(long count, long bytes) {}

  /** The group's reads from a disk. */
  public DiskReads reads(BlockDevice disk) throws IOException {
    Path folder = folders.get(Controller.DISK);
    if (unified) {
      StatFile stat = StatFile.read(folder.resolve("io.stat"));
      return new DiskReads(
          stat.field(disk.name(), "rios=").orElse(0), stat.field(disk.name(), "rbytes=").orElse(0));
    }
    String key = disk.name() + " Read";
    return new DiskReads(
        StatFile.read(folder.resolve("blkio.throttle.io_serviced")).value(key),
        StatFile.read(folder.resolve("blkio.throttle.io_service_bytes")).value(key));
  }

  private void write(Controller controller, String file, String text) throws IOException {
    Files.writeString(folders.get(controller).resolve(file), text);
  }

  /**
   * Removes the group once its process has ended; the group of a running process stays, without
   * limits.
   */
  @Override
  public void close() throws IOException {
    remove();
    if (exists(Controller.CPU)) {
      liftCores();
    }
    if (exists(Controller.MEMORY)) {
      liftMemory();
    }
    if (exists(Controller.DISK)) {
      for (BlockDevice disk : List.copyOf(limitedDisks)) {
        liftReads(disk);
      }
    }
  }

  private boolean exists(Controller controller) {
    return Optional.ofNullable(folders.get(controller)).filter(Files::exists).isPresent();
  }
}
