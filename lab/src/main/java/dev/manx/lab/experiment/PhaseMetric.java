/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.Locale;

/**
 * Metrics whose timeline is 1 during a disturbance of a backend and 0 otherwise. The report marks
 * these times on the other timelines.
 */
public enum PhaseMetric {
  /** The backend had less CPU. */
  SQUEEZED,
  /** The backend's loads took longer. */
  LATE,
  /** Some of the backend's loads failed. */
  ERRING,
  /** The popularity of the backend's keys had shifted. */
  SHIFTED;

  /** The metric's name. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
