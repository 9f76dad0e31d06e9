/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.PhaseMetric;

/** A disturbance of one backend for a while in each turn. */
interface Phase {
  String backend();

  /** The timeline of the disturbance. */
  PhaseMetric metric();

  /** Its name in metrics and timelines. */
  default String word() {
    return metric().label();
  }

  /** Since the window's start. */
  long fromNanos();

  long forNanos();

  default long untilNanos() {
    return fromNanos() + forNanos();
  }

  /** Whether it is active at a time since the window's start. */
  default boolean holds(long sinceWindowNanos) {
    return sinceWindowNanos >= fromNanos() && sinceWindowNanos < untilNanos();
  }
}
