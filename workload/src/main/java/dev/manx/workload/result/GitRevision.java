/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The revision of a working copy, for {@link Environment}, and the changes since another. */
public final class GitRevision {
  private static final long PATIENCE_SECONDS = 10;

  private GitRevision() {}

  /**
   * The abbreviated commit of the working copy that holds a directory, with {@code -dirty} if files
   * differ from it; empty without git or a working copy.
   */
  public static String of(Path directory) {
    return said(
        List.of(
            "git", "-C", directory.toString(), "describe", "--always", "--dirty", "--exclude=*"),
        PATIENCE_SECONDS);
  }

  /**
   * The number of commits after a revision, up to the working copy's, that changed a file below one
   * of the paths; empty without git or paths, outside a working copy, or if the revision is unknown
   * there, as one that ends with {@code -dirty} is.
   *
   * @param revision as recorded in an {@link Environment}; may be empty
   * @param directory in a working copy
   * @param paths relative to the directory
   */
  public static OptionalInt commitsSince(Path directory, String revision, List<String> paths) {
    if (revision.isEmpty() || paths.isEmpty()) {
      return OptionalInt.empty();
    }
    List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
    command.addAll(List.of("rev-list", "--count", revision + "..HEAD", "--"));
    command.addAll(paths);
    String count = said(command, PATIENCE_SECONDS);
    return count.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(count));
  }

  /** The short output of a program; empty if it fails, is missing, or does not end in time. */
  static String said(List<String> command, long seconds) {
    ProcessBuilder program =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = program.start();
      try (InputStream out = process.getInputStream()) {
        // Before the output is read, which would wait for as long as the program does.
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        return ended && process.exitValue() == 0
            ? new String(out.readAllBytes(), StandardCharsets.UTF_8).trim()
            : "";
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
