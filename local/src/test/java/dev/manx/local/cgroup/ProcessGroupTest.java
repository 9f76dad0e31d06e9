/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {
  private static final BlockDevice DISK = new BlockDevice("254:0");

  @TempDir Path root;

  private static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static Optional<ProcessGroup> permitted(Process process, Controller... controllers) {
    try {
      return Optional.of(ProcessGroup.of(process.pid(), Set.of(controllers)));
    } catch (ControlGroupException e) {
      return Optional.empty();
    }
  }

  /** Returns when the condition holds; fails after a minute without it. */
  private static void until(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime() - deadline).as("waited a minute").isNegative();
      LockSupport.parkNanos(20_000_000);
    }
  }

  private BlockDevice disk() {
    try {
      return BlockDevice.of(root);
    } catch (ControlGroupException e) {
      return abort("the temporary folder is not on a disk");
    }
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String text(String name) throws IOException {
    return Files.readString(root.resolve(name)).strip();
  }

  @Test
  void aProcessGetsNoMoreThanItsQuota() throws Exception {
    Process spinning = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      Optional<ProcessGroup> permitted = permitted(spinning, Controller.CPU);
      assumeTrue(permitted.isPresent(), "may not make a control group with a CPU quota here");
      try (ProcessGroup group = permitted.get()) {
        group.limitCores(0.1);
        Duration before = cpu(spinning);
        long begin = group.periods();
        // 2 s of a process that never idles; a kernel without enforcement counts no periods.
        until(() -> group.periods() >= begin + 200);
        // Its quota is 0.2 s.
        assertThat(cpu(spinning).minus(before)).isLessThan(Duration.ofMillis(600));
        group.liftCores();
        spinning.destroyForcibly().waitFor();
      }
      assertThatThrownBy(
              () ->
                  ProcessGroup.of(
                      ProcessHandle.current().pid() + 4_000_000, Set.of(Controller.CPU)))
          .as("a process that is not there")
          .isInstanceOf(ControlGroupException.class)
          .hasMessageContaining("run as root");
    } finally {
      spinning.destroyForcibly();
    }
  }

  @Test
  void readsOfADiskAreCounted() throws Exception {
    BlockDevice disk = disk();
    Path file = Files.write(root.resolve("data"), new byte[8 << 20]);
    Process sync = new ProcessBuilder("sync", file.toString()).start();
    assertThat(sync.waitFor()).isZero();
    // Direct I/O: the file's pages are in the cache, since they were written just now.
    Process reader =
        new ProcessBuilder(
                "sh",
                "-c",
                "read go; dd if=\"$0\" of=/dev/null bs=64k iflag=direct 2>/dev/null; read end",
                file.toString())
            .start();
    try {
      Optional<ProcessGroup> permitted = permitted(reader, Controller.MEMORY, Controller.DISK);
      assumeTrue(permitted.isPresent(), "may not make control groups for memory and disks here");
      try (ProcessGroup group = permitted.get()) {
        group.liftReads(disk);
        assertThat(group.reads(disk).bytes()).isLessThan(8 << 20);
        reader.getOutputStream().write("go\n".getBytes(StandardCharsets.UTF_8));
        reader.getOutputStream().flush();
        until(() -> group.reads(disk).bytes() >= 8 << 20);
        assertThat(group.reads(disk).count()).isPositive();
        assertThat(group.memory().used()).isPositive();
      }
    } finally {
      reader.destroyForcibly().waitFor();
    }
  }

  @Test
  void filesOfVersion1() throws Exception {
    for (String controller : Set.of("cpu", "memory", "blkio")) {
      file(controller + "/cgroup.procs", "");
    }
    ProcessGroup group = ProcessGroup.of(42, Set.of(Controller.values()), root);
    String name = "/manx-" + ProcessHandle.current().pid() + "-42/";
    assertThat(text("memory" + name + "cgroup.procs")).isEqualTo("42");
    group.limitCores(0.5);
    assertThat(text("cpu" + name + "cpu.cfs_quota_us")).isEqualTo("5000");
    group.limitMemory(1 << 20);
    assertThat(text("memory" + name + "memory.limit_in_bytes")).isEqualTo("1048576");
    group.limitReads(DISK, 250);
    assertThat(text("blkio" + name + "blkio.throttle.read_iops_device")).isEqualTo("254:0 250");
    group.liftReads(DISK);
    assertThat(text("blkio" + name + "blkio.throttle.read_iops_device"))
        .isEqualTo("254:0 1000000000");
    file("memory" + name + "memory.stat", "cache 300\nrss 500\nmapped_file 40\n");
    file("memory" + name + "memory.usage_in_bytes", "1000\n");
    assertThat(group.memory()).isEqualTo(new ProcessGroup.Memory(1000, 300, 40));
    assertThat(group.memory().held()).isEqualTo(740);
    file("blkio" + name + "blkio.throttle.io_serviced", "254:0 Read 7\n254:0 Write 9\nTotal 16\n");
    file("blkio" + name + "blkio.throttle.io_service_bytes", "254:0 Read 28672\nTotal 1\n");
    assertThat(group.reads(DISK)).isEqualTo(new ProcessGroup.DiskReads(7, 28672));
    assertThat(group.reads(new BlockDevice("8:0"))).isEqualTo(new ProcessGroup.DiskReads(0, 0));
    assertThat(group.describe()).contains("version 1");
  }

  @Test
  void filesOfVersion2() throws Exception {
    file("cgroup.subtree_control", "cpu memory pids");
    ProcessGroup group = ProcessGroup.of(42, Set.of(Controller.MEMORY, Controller.DISK), root);
    assertThat(text("cgroup.subtree_control")).as("enabled where it was not").isEqualTo("+io");
    String name = "manx-" + ProcessHandle.current().pid() + "-42/";
    group.limitMemory(1 << 20);
    assertThat(text(name + "memory.max")).isEqualTo("1048576");
    group.limitReads(DISK, 250);
    assertThat(text(name + "io.max")).isEqualTo("254:0 riops=250");
    group.liftReads(DISK);
    assertThat(text(name + "io.max")).isEqualTo("254:0 riops=max");
    file(name + "memory.stat", "anon 500\nfile 300\nfile_mapped 40\n");
    file(name + "memory.current", "1000\n");
    assertThat(group.memory()).isEqualTo(new ProcessGroup.Memory(1000, 300, 40));
    file(name + "io.stat", "8:0 rbytes=1 wbytes=1 rios=1\n254:0 rbytes=28672 wbytes=5 rios=7\n");
    assertThat(group.reads(DISK)).isEqualTo(new ProcessGroup.DiskReads(7, 28672));
    assertThat(group.describe()).contains("version 2");
  }

  /** Here a group's folder is never empty, as that of a running process. */
  @Test
  void theGroupOfARunningProcessKeepsNoLimit() throws Exception {
    for (String controller : Set.of("cpu", "memory", "blkio")) {
      file(controller + "/cgroup.procs", "");
    }
    String name = "manx-" + ProcessHandle.current().pid() + "-42/";
    try (ProcessGroup group = ProcessGroup.of(42, Set.of(Controller.values()), root)) {
      group.limitCores(0.5);
      group.limitMemory(1 << 20);
      group.limitReads(DISK, 250);
    }
    assertThat(text("cpu/" + name + "cpu.cfs_quota_us")).isEqualTo("-1");
    assertThat(text("memory/" + name + "memory.limit_in_bytes")).isEqualTo("-1");
    assertThat(text("blkio/" + name + "blkio.throttle.read_iops_device"))
        .isEqualTo("254:0 1000000000");
  }

  @Test
  void theEmptyGroupOfAnotherLivingManxIsLeftAlone() throws Exception {
    file("cpu/cgroup.procs", "");
    long living = ProcessHandle.current().parent().orElseThrow().pid();
    Path fresh = Files.createDirectory(root.resolve("cpu/manx-" + living + "-77"));
    Path left = Files.createDirectory(root.resolve("cpu/manx-4194305-78"));
    ProcessGroup.of(42, Set.of(Controller.CPU), root);
    assertThat(fresh).as("its process is about to be put there").exists();
    assertThat(left).doesNotExist();
  }

  @Test
  void aDiskIsTheWholeDisk() throws Exception {
    file("real/sda/dev", "8:0\n");
    file("real/sda/sda1/dev", "8:1\n");
    file("real/sda/sda1/partition", "1\n");
    Files.createSymbolicLink(root.resolve("8:1"), Path.of("real/sda/sda1"));
    Files.createSymbolicLink(root.resolve("8:0"), Path.of("real/sda"));
    assertThat(BlockDevice.of(0x801, root)).isEqualTo(new BlockDevice("8:0"));
    assertThat(BlockDevice.of(0x800, root)).isEqualTo(new BlockDevice("8:0"));
    assertThatThrownBy(() -> BlockDevice.of(Path.of("/proc")))
        .isInstanceOf(ControlGroupException.class)
        .hasMessageContaining("symbolic link");
  }
}
