/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPU quotas of control groups of both versions, as files in a folder. */
class CpuQuotaTest {
  private static final String UNIFIED = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  private static final String FIRST =
      """
      31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
      32 31 0:29 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset
      33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct
      34 31 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
      """;

  @TempDir Path root;

  private void write(Path folder, String name, String text) throws IOException {
    Files.writeString(Files.createDirectories(folder).resolve(name), text);
  }

  @Test
  void groupsAreFoundFromTheInnermostToTheMount() {
    assertThat(CpuQuota.folders("0::/a.slice/b.service\n", UNIFIED))
        .containsExactly(
            Path.of("/sys/fs/cgroup/a.slice/b.service"),
            Path.of("/sys/fs/cgroup/a.slice"),
            Path.of("/sys/fs/cgroup"));
    assertThat(CpuQuota.folders("0::/\n", UNIFIED)).containsExactly(Path.of("/sys/fs/cgroup"));
  }

  @Test
  void theFirstVersionIsUsedIfItHasTheController() {
    assertThat(CpuQuota.folders("3:cpuset:/x\n2:cpu,cpuacct:/mine\n0::/other\n", FIRST))
        .containsExactly(
            Path.of("/sys/fs/cgroup/cpu,cpuacct/mine"), Path.of("/sys/fs/cgroup/cpu,cpuacct"));
  }

  /** A container without its own namespace of groups sees the host's names, but only its mount. */
  @Test
  void aContainersMountIsItsOwnGroup() {
    String mounts = "33 31 0:30 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n";
    assertThat(CpuQuota.folders("2:cpu,cpuacct:/docker/abc\n", mounts))
        .containsExactly(Path.of("/sys/fs/cgroup/cpu"));
    assertThat(CpuQuota.folders("2:cpu,cpuacct:/docker/abc/in\n", mounts))
        .containsExactly(Path.of("/sys/fs/cgroup/cpu/in"), Path.of("/sys/fs/cgroup/cpu"));
    assertThat(CpuQuota.folders("2:cpu,cpuacct:/docker/xyz\n", mounts)).isEmpty();
    assertThat(CpuQuota.folders("0::/../sibling\n", UNIFIED)).isEmpty();
    assertThat(CpuQuota.folders("", "")).isEmpty();
  }

  @Test
  void theTightestOfNestedQuotasOfTheSecondVersionCounts() throws IOException {
    Path inner = root.resolve("pod/container");
    write(inner, "cpu.max", "150000 100000\n");
    write(inner, "cpu.stat", "usage_usec 9\nnr_throttled 4\nthrottled_usec 2500000\n");
    write(root.resolve("pod"), "cpu.max", "400000 100000\n");
    write(root.resolve("pod"), "cpu.stat", "throttled_usec 0\n");
    write(root, "cpu.max", "max 100000\n");
    CpuQuota quota = CpuQuota.read(List.of(inner, root.resolve("pod"), root)).orElseThrow();
    assertThat(quota.cores()).isEqualTo(1.5);
    assertThat(quota.throttledSeconds())
        .hasSize(2)
        .containsEntry(inner.resolve("cpu.stat"), 2.5)
        .containsKey(root.resolve("pod/cpu.stat"));
    write(inner, "cpu.stat", "throttled_usec 2750000\n");
    CpuQuota later = CpuQuota.read(List.of(inner, root.resolve("pod"), root)).orElseThrow();
    assertThat(later.throttledSince(quota)).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void quotasOfTheFirstVersionAreRead() throws IOException {
    write(root, "cpu.cfs_quota_us", "50000\n");
    write(root, "cpu.cfs_period_us", "100000\n");
    write(root, "cpu.stat", "nr_periods 3\nnr_throttled 2\nthrottled_time 1500000000\n");
    CpuQuota quota = CpuQuota.read(List.of(root)).orElseThrow();
    assertThat(quota.cores()).isEqualTo(0.5);
    assertThat(quota.throttledSeconds()).containsValue(1.5);
    write(root, "cpu.cfs_quota_us", "-1\n");
    assertThat(CpuQuota.read(List.of(root))).isEmpty();
    assertThat(CpuQuota.read(List.of(root.resolve("none")))).isEmpty();
  }

  @Test
  void aProcessThatDoesNotExistHasNone() {
    assertThat(CpuQuota.of(Integer.MAX_VALUE)).isEmpty();
  }
}
