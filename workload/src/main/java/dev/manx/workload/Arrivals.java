/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** When requests are intended to start. */
public enum Arrivals {
  /** Independent, exponential gaps. */
  POISSON,
  /** Equal gaps. */
  FIXED
}
