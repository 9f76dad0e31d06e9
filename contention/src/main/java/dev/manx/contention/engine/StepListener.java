/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

/** Gets told how long work goes on; any thread. */
public interface StepListener {
  /** A line worth keeping. */
  void step(String text);

  /** Reports the present step; the next one replaces it. */
  void now(String text);
}
