/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Receives the progress of an experiment; any thread. */
public interface Progress {
  /** Reports a line to keep. */
  void step(String text);

  /** Reports an important line. */
  default void warning(String text) {
    step(text);
  }

  /** Reports the current step; the next one replaces it. */
  void now(String text);
}
