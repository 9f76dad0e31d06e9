/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Captures what is logged. */
public final class Logged {
  private Logged() {}

  /** Something that may throw. */
  @FunctionalInterface
  public interface Action<E extends Exception> {
    /** Does it. */
    void run() throws E;
  }

  /** The log during an action. */
  public static <E extends Exception> String during(Action<E> action) throws E {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return logged.toString(StandardCharsets.UTF_8);
  }
}
