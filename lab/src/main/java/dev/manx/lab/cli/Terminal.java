/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.run.Progress;
import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * One live line on a terminal, rewritten in place; where there is no terminal, only lasting lines.
 */
final class Terminal implements Progress {
  private final PrintStream out;
  private final boolean live;
  private boolean lineOpen;
  private boolean silent;

  /** On standard output; live if that is a terminal. */
  Terminal() {
    this(System.out, System.console() != null && System.getenv("NO_LIVE") == null);
  }

  Terminal(PrintStream out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** A line that stays. */
  synchronized void line(String text) {
    if (!silent) {
      clear();
      out.println(text);
      out.flush();
    }
  }

  @Override
  public void step(String text) {
    line(text);
  }

  /** One last line; what other threads say while everything ends is nobody's concern. */
  synchronized void silence(String text) {
    line(text);
    silent = true;
  }

  /** Nothing where there is no terminal. */
  @Override
  public synchronized void now(String text) {
    if (live && !silent) {
      clear();
      out.print(text.length() > 110 ? text.substring(0, 110) : text);
      out.flush();
      lineOpen = true;
    }
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
