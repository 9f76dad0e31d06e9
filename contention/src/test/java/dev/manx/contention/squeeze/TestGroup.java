/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group of a test, version 1 or 2. */
final class TestGroup implements AutoCloseable {
  private final Path folder;

  private TestGroup(Path folder) {
    this.folder = folder;
  }

  /** Creates one with such a limit; skips the test where it may not. */
  static TestGroup create(String controller, String limit) throws IOException {
    Path root = Path.of("/sys/fs/cgroup");
    Path own = root.resolve(controller);
    Path parent = Files.isDirectory(own) ? own : root;
    try {
      Path folder = Files.createTempDirectory(parent, "manx-test-");
      TestGroup group = new TestGroup(folder);
      boolean there = Files.isWritable(folder.resolve(controller + "." + limit));
      if (!there) {
        Files.delete(folder);
      }
      assumeTrue(there, "no controller " + controller);
      return group;
    } catch (IOException e) {
      assumeTrue(false, "control groups may not be created here: " + e);
      throw e;
    }
  }

  /** Sets a limit. */
  void set(String file, String value) throws IOException {
    Files.writeString(folder.resolve(file), value);
  }

  /** Copies a limit of the parent, which version 1 needs. */
  void copy(String file) throws IOException {
    Path above = folder.resolveSibling(file);
    if (Files.exists(above)) {
      set(file, Files.readString(above));
    }
  }

  /** Moves a process into it. */
  void add(long pid) throws IOException {
    set("cgroup.procs", Long.toString(pid));
  }

  /** When its processes have ended. */
  @Override
  public void close() throws Exception {
    SqueezerTest.eventually("control group is empty", () -> folder.toFile().delete());
  }
}
