/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** The distribution of the intended starts of requests. */
public enum Arrivals {
  /** Independent, exponential gaps. */
  POISSON,
  /** Equal gaps. */
  FIXED
}
