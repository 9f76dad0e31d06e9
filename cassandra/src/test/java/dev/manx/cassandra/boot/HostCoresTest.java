/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How busy cores are, from invented files of the system. */
@Timeout(60)
class HostCoresTest {
  private static final Offset<Double> EXACT = Offset.offset(1e-9);
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path root;

  @BeforeEach
  void aHostOfTwoCores() throws IOException {
    write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-127\nMems_allowed_list:\t0\n");
    stat("100 0 0 900", "0 0 0 1000");
    write("proc/self/cgroup", "");
    write("proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Its first four columns of each core: user, nice, system, idle. */
  private void stat(String first, String second) throws IOException {
    write(
        "proc/stat",
        "cpu  7 7 7 7 7 7 7 7 7 7\ncpu0 %s 0 0 0 5 9 9\ncpu1 %s 0 0 0 5 9 9\nintr 1 2\n"
            .formatted(first, second));
  }

  private HostCores meter() {
    return new HostCores(new LinuxCores(root));
  }

  @Test
  void readingOneDoesNotShortenTheWindowOfTheOther() throws IOException {
    HostCores ours = meter();
    HostCores theirs = meter();
    assertThat(ours.inUse(0)).as("nothing is known yet").isNegative();
    assertThat(theirs.inUse(0)).isNegative();
    stat("200 0 0 900", "0 0 0 1100");
    assertThat(theirs.inUse(SECOND)).isEqualTo(0.5, EXACT);
    stat("300 0 0 900", "100 0 0 1100");
    assertThat(theirs.inUse(2 * SECOND)).isEqualTo(1, EXACT);
    assertThat(ours.inUse(2 * SECOND)).as("of both seconds").isEqualTo(0.75, EXACT);
    assertThat(ours.inUse(3 * SECOND)).as("nothing has passed").isNegative();
  }

  /**
   * Time that a host was not given, and that of guests, which is in that of users, count nothing.
   */
  @Test
  void theKernelsWorkIsUse() throws IOException {
    HostCores meter = meter();
    write("proc/stat", "cpu 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n");
    meter.inUse(0);
    write("proc/stat", "cpu 0\ncpu0 10 20 30 5 25 4 6 1000 500 500\n");
    assertThat(meter.inUse(SECOND)).isEqualTo(0.7, EXACT);
  }

  @Test
  void onlyCoresThatTheProcessMayUseCount() throws IOException {
    write("proc/self/status", "Cpus_allowed_list:\t1,3-5\n");
    HostCores meter = meter();
    meter.inUse(0);
    stat("200 0 0 900", "30 0 0 1070");
    assertThat(meter.inUse(SECOND)).isEqualTo(0.3, EXACT);
  }

  @Test
  void theQuotaOfAContainerOfVersionTwoIsItsCores() throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write(
        "proc/self/mountinfo",
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
            + "30 22 0:26 / /sys/fs/cgroup ro,nosuid shared:4 - cgroup2 cgroup rw,nsdelegate\n");
    write("sys/fs/cgroup/cpu.max", "50000 100000\n");
    write("sys/fs/cgroup/cpu.stat", "usage_usec 1000000\nuser_usec 5\n");
    HostCores meter = meter();
    assertThat(meter.inUse(SECOND)).isNegative();
    write("sys/fs/cgroup/cpu.stat", "usage_usec 1400000\nuser_usec 5\n");
    stat("100 0 0 1000", "0 0 0 1100");
    assertThat(meter.inUse(2 * SECOND)).as("0.4 of half a core").isEqualTo(0.8, EXACT);
    write("sys/fs/cgroup/cpu.max", "max 100000\n");
    assertThat(meter.inUse(3 * SECOND)).as("other times than before").isNegative();
    stat("150 0 0 1050", "50 0 0 1150");
    assertThat(meter.inUse(4 * SECOND)).as("the host's").isEqualTo(0.5, EXACT);
    write("sys/fs/cgroup/cpu.max", "400000 100000\n");
    stat("250 0 0 1050", "50 0 0 1250");
    assertThat(meter.inUse(5 * SECOND)).as("more than there are").isEqualTo(0.5, EXACT);
  }

  @Test
  void theQuotaOfAServiceIsInItsOwnFolder() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/cassandra.service\n");
    write("proc/self/mountinfo", "30 22 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
    write("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
    write("sys/fs/cgroup/system.slice/cassandra.service/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/system.slice/cassandra.service/cpu.stat", "usage_usec 0\n");
    HostCores meter = meter();
    meter.inUse(0);
    write("sys/fs/cgroup/system.slice/cassandra.service/cpu.stat", "usage_usec 1500000\n");
    assertThat(meter.inUse(SECOND)).isEqualTo(1, EXACT);
  }

  /** Docker mounts the container's own group, whose name is the host's. */
  @Test
  void theQuotaOfAContainerOfVersionOneIsItsCores() throws IOException {
    write("proc/self/cgroup", "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/docker/abc\n");
    write(
        "proc/self/mountinfo",
        "40 30 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
            + "41 30 0:31 / /sys/fs/cgroup/unified ro - cgroup2 cgroup rw\n");
    String folder = "sys/fs/cgroup/cpu,cpuacct/";
    write(folder + "cpu.cfs_quota_us", "100000\n");
    write(folder + "cpu.cfs_period_us", "100000\n");
    write(folder + "cpuacct.usage", "5000000000\n");
    HostCores meter = meter();
    meter.inUse(0);
    write(folder + "cpuacct.usage", "5250000000\n");
    assertThat(meter.inUse(SECOND)).isEqualTo(0.25, EXACT);
    write(folder + "cpu.cfs_quota_us", "-1\n");
    assertThat(meter.inUse(2 * SECOND)).isNegative();
    stat("100 0 0 1000", "50 0 0 1050");
    assertThat(meter.inUse(3 * SECOND)).isEqualTo(0.25, EXACT);
  }

  @Test
  void filesThatCannotBeReadMeanUnknown() throws IOException {
    HostCores meter = meter();
    meter.inUse(0);
    write("proc/stat", "cpu0 a b c d e f g\n");
    assertThat(meter.inUse(SECOND)).isNegative();
    Files.delete(root.resolve("proc/stat"));
    assertThat(meter.inUse(2 * SECOND)).isNegative();
    stat("200 0 0 900", "0 0 0 1100");
    assertThat(meter.inUse(3 * SECOND)).isNegative();
    stat("400 0 0 900", "0 0 0 1300");
    assertThat(meter.inUse(4 * SECOND)).isEqualTo(0.5, EXACT);
  }
}
