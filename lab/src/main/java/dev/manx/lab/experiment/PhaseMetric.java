/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.Locale;

/**
 * Metrics whose timeline is 1 during a disturbance of a backend and 0 otherwise. The report marks
 * these times on the other timelines.
 */
public enum PhaseMetric {
  /** It had less CPU. */
  SQUEEZED,
  /** Its loads took longer. */
  LATE,
  /** Some of its loads failed. */
  ERRING,
  /** The popularity of its keys had moved on. */
  SHIFTED;

  /** The metric's name. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
