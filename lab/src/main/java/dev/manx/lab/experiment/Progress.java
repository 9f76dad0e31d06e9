/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Receives the progress of an experiment; any thread. */
public interface Progress {
  /** A line worth keeping. */
  void step(String text);

  /** A line that must not be missed. */
  default void warning(String text) {
    step(text);
  }

  /** Reports the present step; the next one replaces it. */
  void now(String text);
}
