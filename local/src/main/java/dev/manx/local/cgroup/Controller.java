/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a control group may limit. */
public enum Controller {
  /** Time on the cores. */
  CPU("cpu", "cpu", "cpu,cpuacct"),
  /** Memory, the page cache of the files that a process reads included. */
  MEMORY("memory", "memory"),
  /** Reads of disks. */
  DISK("io", "blkio");

  /** Its name in version 2. */
  final String unified;

  /** Its mounts in version 1, of which one is there. */
  private final List<String> mounts;

  Controller(String unified, String... mounts) {
    this.unified = unified;
    this.mounts = List.of(mounts);
  }

  /** Where version 1 has it; empty if it has not. */
  Optional<Path> mount(Path root) {
    return mounts.stream()
        .map(root::resolve)
        .filter(mount -> Files.exists(mount.resolve("cgroup.procs")))
        .findFirst();
  }
}
