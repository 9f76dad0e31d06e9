/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The size of the terminal, asked again at most every two seconds. One thread. */
public final class TerminalSize {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PATIENCE_MILLIS = 500;
  private static final File TERMINAL = new File("/dev/tty");
  private static final Pattern SIZE = Pattern.compile("\\s*(\\d{1,5}) (\\d{1,5})\\s*");

  private final Supplier<String> stty;
  private final LongSupplier nanoTime;
  private int rows;
  private int columns;
  private boolean asked;
  private long askedNanos;

  /**
   * @param stty returns rows and columns as {@code stty size} prints them; empty if unknown
   * @param rows while unknown
   * @param columns while unknown
   */
  TerminalSize(Supplier<String> stty, int rows, int columns, LongSupplier nanoTime) {
    this.stty = stty;
    this.rows = rows;
    this.columns = columns;
    this.nanoTime = nanoTime;
  }

  /** Its height. */
  public int rows() {
    ask();
    return rows;
  }

  /** Its width. */
  public int columns() {
    ask();
    return columns;
  }

  private void ask() {
    long now = nanoTime.getAsLong();
    if (asked && now - askedNanos < FRESH_NANOS) {
      return;
    }
    asked = true;
    askedNanos = now;
    Matcher size = SIZE.matcher(stty.get());
    if (size.matches()) {
      // A terminal that does not know its size has 0.
      rows = Screen.number(size.group(1), rows);
      columns = Screen.number(size.group(2), columns);
    }
  }

  /** The answer of {@code stty size} on this process's terminal; empty without one in time. */
  static String ofStty() {
    Process process;
    try {
      process =
          new ProcessBuilder("stty", "size")
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return "";
    }
    try {
      // Its output fits into the pipe.
      if (process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      }
    } catch (IOException e) {
      // As if it had printed nothing.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
    return "";
  }
}
