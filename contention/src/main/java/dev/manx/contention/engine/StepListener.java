/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

/** Receives progress of long work; thread-safe. */
public interface StepListener {
  /** A line worth keeping. */
  void step(String text);

  /** Reports the present step; the next one replaces it. */
  void now(String text);
}
