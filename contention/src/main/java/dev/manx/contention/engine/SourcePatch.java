/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Substitutions in C source of a known shape. Each names a function and a text that must occur in
 * it exactly the given number of times; other source is rejected, never partly patched.
 */
final class SourcePatch {
  private final Path file;
  private String text;

  private SourcePatch(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** Reads a file. */
  static SourcePatch of(Path file) {
    try {
      return new SourcePatch(file, Files.readString(file));
    } catch (IOException e) {
      throw new EngineException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Replaces text that must occur once in the whole file. */
  SourcePatch once(String expected, String replacement) {
    text = replaced(text, "the file", 1, expected, replacement);
    return this;
  }

  /**
   * Replaces text inside one function, whose definition starts with its name in the first column
   * and ends with a brace in the first column.
   *
   * @param count required number of occurrences
   */
  SourcePatch in(String function, int count, String expected, String replacement) {
    int start = text.indexOf("\n" + function + "(");
    int end = text.indexOf("\n}\n", Math.max(0, start));
    if (start < 0 || end < 0) {
      throw new EngineException(
          file + " has no function " + function + ": the patch does not fit this source");
    }
    if (text.indexOf("\n" + function + "(", start + 1) >= 0) {
      throw new EngineException(file + " has function " + function + " more than once");
    }
    text =
        text.substring(0, start)
            + replaced(text.substring(start, end), function, count, expected, replacement)
            + text.substring(end);
    return this;
  }

  private String replaced(
      String part, String where, int count, String expected, String replacement) {
    int found = (part.length() - part.replace(expected, "").length()) / expected.length();
    if (found != count) {
      throw new EngineException(
          file
              + ": expected "
              + count
              + " times in "
              + where
              + " but found "
              + found
              + " times: "
              + expected.strip()
              + "\nThe patch does not fit the source; nothing was built.");
    }
    return part.replace(expected, replacement);
  }

  /** Writes the file back. */
  void write() {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new EngineException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
