/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.io.Console;

/** The terminal, if there is one. */
public final class Screen {
  /** Puts the cursor at the top left and clears what is below. */
  public static final String CLEAR = "\033[H\033[J";

  private Screen() {}

  /** Whether lines can be rewritten in place: on a terminal, unless NO_LIVE is set. */
  public static boolean isLive() {
    return isTerminal() && System.getenv("NO_LIVE") == null;
  }

  /** Whether a person can be asked. */
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there is a console even where output is piped, and it can be asked.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
