/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import dev.manx.contention.proc.Scratch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores built artifacts between runs, in {@code $XDG_CACHE_HOME/manx} or {@code ~/.cache/manx}. An
 * artifact is stored completely or not at all; of two threads or processes that want to build, one
 * waits.
 */
public final class EngineStore {
  private static final ReentrantLock BUILDS = new ReentrantLock();

  private final Path root;

  /** Creates a store in a folder, which is created when needed. */
  public EngineStore(Path root) {
    this.root = root.toAbsolutePath();
  }

  /** The user's store. */
  public static EngineStore ofUser() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache == null || cache.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    return new EngineStore(folder.resolve("manx"));
  }

  /** The root folder. */
  public Path root() {
    return root;
  }

  /** Whether an artifact is here. */
  boolean has(String name) {
    return Files.isDirectory(root.resolve(name));
  }

  /** Makes one artifact in an empty folder. */
  interface Maker {
    void make(Path folder) throws IOException, InterruptedException;
  }

  /**
   * The folder of an artifact, made if missing.
   *
   * @throws EngineException if it cannot be made
   */
  Path get(String name, Maker maker) throws InterruptedException {
    Path done = root.resolve(name);
    if (Files.isDirectory(done)) {
      return done;
    }
    // A JVM gets a lock of a file only once, so it does not make its threads wait.
    BUILDS.lockInterruptibly();
    try {
      Files.createDirectories(root);
      try (FileChannel file =
              FileChannel.open(
                  root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        return lock.isValid() && Files.isDirectory(done) ? done : made(name, done, maker);
      }
    } catch (IOException e) {
      throw new EngineException("cannot use the folder " + root + ": " + e.getMessage(), e);
    } finally {
      BUILDS.unlock();
    }
  }

  private Path made(String name, Path done, Maker maker) throws IOException, InterruptedException {
    Path part = root.resolve(name + ".part");
    Scratch.delete(part);
    Files.createDirectories(part);
    maker.make(part);
    return Files.move(part, done, StandardCopyOption.ATOMIC_MOVE);
  }
}
