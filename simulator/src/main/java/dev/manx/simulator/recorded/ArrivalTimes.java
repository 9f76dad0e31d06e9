/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

/** When recorded requests arrive. */
public enum ArrivalTimes {
  /** At random: with independent, exponential gaps. */
  POISSON,
  /** At the recorded times, in blocks that are drawn at random. */
  RECORDED
}
