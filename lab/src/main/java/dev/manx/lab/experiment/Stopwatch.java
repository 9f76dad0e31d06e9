/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** The real time since it was created. Thread-safe. */
public final class Stopwatch {
  private final long startNanos = System.nanoTime();

  /** Seconds until now. */
  public double seconds() {
    return secondsAt(System.nanoTime());
  }

  /**
   * Seconds until a moment.
   *
   * @param atNanos of {@link System#nanoTime}
   */
  public double secondsAt(long atNanos) {
    return (atNanos - startNanos) / 1e9;
  }
}
