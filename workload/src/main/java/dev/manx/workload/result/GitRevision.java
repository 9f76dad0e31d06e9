/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The revision of a working copy, for {@link Environment}. */
public final class GitRevision {
  private static final long PATIENCE_SECONDS = 10;

  private GitRevision() {}

  /**
   * The abbreviated commit of the working copy that holds a directory, with {@code -dirty} if files
   * differ from it; empty without git or a working copy.
   */
  public static String of(Path directory) {
    ProcessBuilder git =
        new ProcessBuilder(
            "git", "-C", directory.toString(), "describe", "--always", "--dirty", "--exclude=*");
    git.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = git.start();
      try (InputStream out = process.getInputStream()) {
        String text = new String(out.readAllBytes(), StandardCharsets.UTF_8).trim();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return ended && process.exitValue() == 0 ? text : "";
      }
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
