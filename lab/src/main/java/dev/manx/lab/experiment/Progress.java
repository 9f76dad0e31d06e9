/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.contention.engine.StepListener;

/** Receives the progress of an experiment; any thread. */
public interface Progress extends StepListener {
  /** Reports an important line. */
  default void warning(String text) {
    step(text);
  }
}
