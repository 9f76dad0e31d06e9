/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.Progress;
import dev.manx.operate.text.Screen;
import java.io.PrintStream;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One live line on a terminal, rewritten in place; where there is no terminal, lasting lines, of
 * which those that only say how far things are come seconds apart.
 */
final class Terminal implements Progress {
  /** Between two lines of progress where there is no terminal. */
  static final long PROGRESS_NANOS = 5_000_000_000L;

  private final PrintStream out;
  private final boolean live;
  private final LongSupplier nanoTime;
  private long saidNanos;
  private boolean lineOpen;
  private boolean silent;

  /** On standard output; live if that is a terminal. */
  Terminal() {
    this(System.out, Screen.isLive(), System::nanoTime);
  }

  Terminal(PrintStream out, boolean live, LongSupplier nanoTime) {
    this.out = out;
    this.live = live;
    this.nanoTime = nanoTime;
    saidNanos = nanoTime.getAsLong();
  }

  /** A line that stays. */
  synchronized void line(String text) {
    if (!silent) {
      clear();
      out.println(text);
      out.flush();
      saidNanos = nanoTime.getAsLong();
    }
  }

  @Override
  public void step(String text) {
    line(text);
  }

  /** One last line; lines of other threads during the end are dropped. */
  synchronized void silence(String text) {
    line(text);
    silent = true;
  }

  /** Where there is no terminal, a line unless one has just been printed. */
  @Override
  public synchronized void now(String text) {
    if (!live && nanoTime.getAsLong() - saidNanos >= PROGRESS_NANOS) {
      line(text);
    } else if (live && !silent) {
      clear();
      out.print(text.length() > 110 ? text.substring(0, 110) : text);
      out.flush();
      lineOpen = true;
    }
  }

  /** The same terminal, on which steps do not stay. */
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

  /** Steps that matter once: live where possible, else a line each. */
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
