/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pauses of a JVM in which none of its threads ran, including garbage collections.
 *
 * @param count pauses that ended in the window
 * @param totalNanos total time from the request to stop all threads until they continued
 * @param longestNanos the longest pause
 */
public record Safepoints(int count, long totalNanos, long longestNanos) {
  /** The JVM option, with a placeholder for the file. */
  static final String OPTION = "-Xlog:safepoint=info:file=%s:uptimenanos:filecount=0";

  private static final Pattern LINE =
      Pattern.compile("^\\[(\\d+)ns\\] Safepoint .*Total: +(\\d+) ns");

  /**
   * Reads the JVM's log.
   *
   * @param fromNanos start of the window by the JVM's age
   * @param toNanos its end
   */
  static Safepoints read(Path log, long fromNanos, long toNanos) throws IOException {
    int count = 0;
    long total = 0;
    long longest = 0;
    for (String line : Files.readAllLines(log)) {
      Matcher found = LINE.matcher(line);
      if (found.find()) {
        long end = Long.parseLong(found.group(1));
        if (end >= fromNanos && end < toNanos) {
          long nanos = Long.parseLong(found.group(2));
          count++;
          total += nanos;
          longest = Math.max(longest, nanos);
        }
      }
    }
    return new Safepoints(count, total, longest);
  }
}
