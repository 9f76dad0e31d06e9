/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.Progress;
import dev.manx.operate.text.Screen;
import java.io.PrintStream;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A live line on a terminal, rewritten in place. Without a terminal, permanent lines, with progress
 * lines seconds apart.
 */
final class Terminal implements Progress {
  /** Interval of progress lines without a terminal. */
  static final long PROGRESS_NANOS = 5_000_000_000L;

  private final PrintStream out;
  private final boolean live;
  private final int columns;
  private final LongSupplier nanoTime;
  private long saidNanos;
  private boolean lineOpen;
  private boolean silent;

  /** Writes to standard output, live if it is a terminal. */
  Terminal() {
    this(System.out, Screen.isLive(), Screen.columns(), System::nanoTime);
  }

  Terminal(PrintStream out, boolean live, int columns, LongSupplier nanoTime) {
    this.out = out;
    this.live = live;
    this.columns = columns;
    this.nanoTime = nanoTime;
    saidNanos = nanoTime.getAsLong();
  }

  /** Prints a permanent line. */
  synchronized void line(String text) {
    if (!silent) {
      clear();
      out.println(text);
      out.flush();
      saidNanos = nanoTime.getAsLong();
    }
  }

  /** Whether the reader of the output has gone, as in a pipe to {@code head}. */
  boolean isClosed() {
    return out.checkError();
  }

  @Override
  public void step(String text) {
    line(text);
  }

  /** Prints a last line; later lines of other threads are dropped. */
  synchronized void silence(String text) {
    line(text);
    silent = true;
  }

  /** Without a terminal, prints a line unless one was just printed. */
  @Override
  public synchronized void now(String text) {
    if (!live && nanoTime.getAsLong() - saidNanos >= PROGRESS_NANOS) {
      line(text);
    } else if (live && !silent) {
      clear();
      // A wrapped line could not be cleared: only its last row would be cleared.
      out.print(text.substring(0, Math.min(text.length(), columns - 1)));
      out.flush();
      lineOpen = true;
    }
  }

  /** This terminal with steps that are not permanent. */
  Progress brief() {
    return new Progress() {
      @Override
      public void step(String text) {
        Terminal.this.now(text);
      }

      @Override
      public void warning(String text) {
        Terminal.this.line(text);
      }

      @Override
      public void now(String text) {
        Terminal.this.now(text);
      }
    };
  }

  /** Temporary steps: live if possible, otherwise one line each. */
  Consumer<String> steps() {
    return live ? this::now : this::line;
  }

  private void clear() {
    if (lineOpen) {
      out.print("\r\033[K");
      lineOpen = false;
    }
  }
}
