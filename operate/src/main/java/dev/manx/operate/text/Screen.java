/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.io.Console;
import java.util.function.UnaryOperator;

/** Properties of the terminal. */
public final class Screen {
  /** Moves the cursor to the top left and clears the screen. */
  public static final String CLEAR = "\033[H\033[J";

  private static final int USUAL_COLUMNS = 80;
  private static final int USUAL_ROWS = 24;

  private Screen() {}

  /** The terminal's width when the command began, from the script {@code manx}; 80 if unknown. */
  public static int columns() {
    return number(System.getenv("COLUMNS"), USUAL_COLUMNS);
  }

  /** The terminal's size as it changes. */
  public static TerminalSize size() {
    return new TerminalSize(
        TerminalSize::ofStty,
        number(System.getenv("LINES"), USUAL_ROWS),
        columns(),
        System::nanoTime);
  }

  /** A positive number; the usual one for any other text, or none. */
  static int number(String text, int usual) {
    return text != null && text.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(text) : usual;
  }

  /**
   * Whether lines can be rewritten in place: on a terminal that knows escape sequences, unless
   * NO_LIVE is set.
   */
  public static boolean isLive() {
    return isTerminal() && isLive(System::getenv);
  }

  static boolean isLive(UnaryOperator<String> environment) {
    String term = environment.apply("TERM");
    return environment.apply("NO_LIVE") == null
        && term != null
        && !term.isBlank()
        && !term.equals("dumb");
  }

  /** Whether a user can be asked. */
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 a console exists even if output is piped; its input then works.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
