/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The unexpected exception that ended a run, most likely of a third party's policy: its message
 * seldom shows where it was thrown, so its stack trace is written next to the results.
 */
final class FailureTrace {
  /** The file's name in a result folder. */
  static final String FILE_NAME = "failure.txt";

  private final RunException failure;

  private FailureTrace(RunException failure) {
    this.failure = failure;
  }

  static FailureTrace of(RunException failure) {
    return new FailureTrace(failure);
  }

  /** Deletes the trace of an earlier attempt. */
  static void forget(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE_NAME));
  }

  /** Writes the trace of an unexpected exception, and returns the failure, which then names it. */
  RunException write(Path folder) {
    Throwable cause = failure;
    while (cause instanceof RunException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    boolean expected =
        cause instanceof RunException
            || cause instanceof ConfigException
            || !(cause instanceof RuntimeException || cause instanceof Error);
    if (expected) {
      return failure;
    }
    Path file = folder.resolve(FILE_NAME);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      cause.printStackTrace(out);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return failure;
    }
    RunException named =
        new RunException(failure.getMessage() + "; stack trace: " + file, failure.getCause());
    for (Throwable then : failure.getSuppressed()) {
      named.addSuppressed(then);
    }
    return named;
  }

  /**
   * An exception in words: its message and, if it was thrown below code that is not Manx's, the
   * first frame of that code.
   */
  static String words(Throwable error) {
    String said =
        error instanceof RunException || error instanceof ConfigException
            ? error.getMessage()
            : error.toString();
    for (StackTraceElement frame : error.getStackTrace()) {
      String type = frame.getClassName();
      if (!type.matches("(dev\\.manx|java|javax|jdk|sun)\\..*")) {
        return "%s, in %s.%s (%s:%d)"
            .formatted(
                said, type, frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
      }
    }
    return said;
  }
}
