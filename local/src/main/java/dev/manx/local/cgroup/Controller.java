/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The resources that a control group may limit. */
public enum Controller {
  /** Time on the cores. */
  CPU("cpu", "cpu", "cpu,cpuacct"),
  /** Memory, including the page cache of the files that a process reads. */
  MEMORY("memory", "memory"),
  /** Reads of disks. */
  DISK("io", "blkio");

  /** Its name in version 2. */
  final String unified;

  /** Its possible mounts in version 1; one of them exists. */
  private final List<String> mounts;

  Controller(String unified, String... mounts) {
    this.unified = unified;
    this.mounts = List.of(mounts);
  }

  /** Its mount in version 1; empty if there is none. */
  Optional<Path> mount(Path root) {
    return mounts.stream()
        .map(root::resolve)
        .filter(mount -> Files.exists(mount.resolve("cgroup.procs")))
        .findFirst();
  }
}
