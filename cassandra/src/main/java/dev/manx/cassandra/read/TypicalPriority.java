/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.Request.Unit;

/**
 * The priority of a typical tagged read: a smoothed geometric mean, which the few very wide
 * requests do not pull up. Any thread; a lost update is one sample less.
 */
final class TypicalPriority {
  private static final double WEIGHT = 0.01;

  private volatile Unit unit;
  private volatile double logarithm;

  void saw(Unit tagUnit, long priority) {
    double sample = Math.log(Math.max(1, priority));
    if (tagUnit == unit) {
      double old = logarithm;
      logarithm = old + WEIGHT * (sample - old);
    } else {
      logarithm = sample;
      unit = tagUnit;
    }
  }

  /** In the unit; 0 before the first tag of that unit. */
  long priority(Unit wanted) {
    return wanted == unit ? Math.round(Math.exp(logarithm)) : 0;
  }
}
