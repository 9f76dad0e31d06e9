/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A temporary folder and the process that works in it. At the end of this object or of this JVM,
 * Ctrl-C and SIGTERM included, the process is killed and the folder is deleted. Thread-safe.
 */
public final class Scratch implements AutoCloseable {
  private static final int TRIES = 10;
  private static final long BETWEEN_TRIES_NANOS = 50_000_000L;

  private final Path folder;
  private final Thread atExit = new Thread(this::end, "manx-remove-scratch");
  private Process process;
  private boolean ended;

  private Scratch(Path folder) {
    this.folder = folder;
  }

  /**
   * Creates a folder whose name begins with a prefix, in a parent, which is created if missing.
   * Removes the folders of that prefix whose JVM was killed before it could.
   */
  public static Scratch create(Path parent, String prefix) throws IOException {
    Files.createDirectories(parent);
    removeLeftovers(parent, prefix);
    String owned = prefix + ProcessHandle.current().pid() + "-";
    Scratch scratch = new Scratch(Files.createTempDirectory(parent, owned));
    try {
      Runtime.getRuntime().addShutdownHook(scratch.atExit);
    } catch (IllegalStateException e) {
      scratch.end();
      throw new IOException("this JVM is ending", e);
    }
    return scratch;
  }

  private static void removeLeftovers(Path parent, String prefix) throws IOException {
    Pattern owned = Pattern.compile(Pattern.quote(prefix) + "([0-9]{1,9})-[0-9]+");
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
      for (Path folder : folders) {
        Matcher name = owned.matcher(folder.getFileName().toString());
        if (name.matches()
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          removeLeftover(folder);
        }
      }
    }
  }

  private static void removeLeftover(Path folder) {
    try {
      delete(folder);
    } catch (UncheckedIOException e) {
      // Another user's, or just removed by another process.
    }
  }

  /** The folder. */
  public Path folder() {
    return folder;
  }

  /**
   * Starts its only process.
   *
   * @throws IOException if it cannot be started, or the JVM is ending
   */
  public synchronized Process start(ProcessBuilder builder) throws IOException {
    if (ended) {
      throw new IOException("this JVM is ending");
    }
    process = builder.start();
    return process;
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending; its hook finds nothing left to do.
    }
  }

  /** The process first: it may still write into the folder. */
  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
    deletePatiently();
  }

  /** Other processes and threads that end at the same time may still write into it. */
  private void deletePatiently() {
    for (int tries = 1; ; tries++) {
      try {
        delete(folder);
        return;
      } catch (UncheckedIOException e) {
        if (tries == TRIES) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
      }
    }
  }

  /** Deletes a folder with its contents, if it exists. */
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> files = found.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
