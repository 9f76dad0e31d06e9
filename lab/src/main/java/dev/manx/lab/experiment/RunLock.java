/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reserves a result folder for one run, against other processes and other threads of this one. The
 * operating system releases it when the process ends, however it ends; the file may then remain,
 * and has no effect.
 */
final class RunLock implements AutoCloseable {
  /** The file's name in a result folder. */
  static final String FILE_NAME = "turns.lock";

  // Closing any channel of a file gives up the locks that the process has on it: a second channel
  // must not be opened here.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** A step of a test between two steps of a lock. */
  @FunctionalInterface
  interface Step {
    void take() throws IOException;
  }

  private final Path file;
  private final FileChannel channel;

  private RunLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Reserves an existing folder.
   *
   * @throws ConfigException if another run writes there
   * @throws IOException if the file cannot be created
   */
  static RunLock of(Path folder) throws IOException {
    return of(folder, () -> {});
  }

  /**
   * Reserves an existing folder.
   *
   * @param opened called when the file is open and not locked yet
   */
  static RunLock of(Path folder, Step opened) throws IOException {
    Path file = folder.toRealPath().resolve(FILE_NAME);
    if (!HELD.add(file)) {
      throw taken(folder);
    }
    FileChannel channel = null;
    boolean locked = false;
    Object before;
    try {
      do {
        if (channel != null) {
          channel.close();
        }
        before = identity(file);
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        opened.take();
        if (!isLocked(channel)) {
          throw taken(folder);
        }
        // The former holder may have deleted the file after it was opened here, and a third run
        // may have created another one.
      } while (!before.equals(identity(file)));
      locked = true;
      return new RunLock(file, channel);
    } finally {
      if (!locked) {
        if (channel != null) {
          channel.close();
        }
        HELD.remove(file);
      }
    }
  }

  /**
   * The identity of the file that has this name at present; it stays the same as long as that file
   * exists.
   */
  private static Object identity(Path file) throws IOException {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      // Some file systems have no keys.
      return key == null ? file : key;
    } catch (NoSuchFileException e) {
      return new Object();
    }
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (IOException e) {
      // Some network file systems have no locks.
      return true;
    }
  }

  private static ConfigException taken(Path folder) {
    return new ConfigException(
        "--out",
        0,
        "out",
        folder.toString(),
        "another folder, since another ./manx run writes to this one");
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(file);
    } finally {
      HELD.remove(file);
    }
  }
}
