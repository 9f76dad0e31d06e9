/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.Locale;

/**
 * Metrics whose timeline says when something was done to a backend, 1, and when not, 0. The report
 * draws those times as marks on the other timelines.
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
