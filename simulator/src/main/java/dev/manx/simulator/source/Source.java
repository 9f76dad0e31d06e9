/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

/** An endless, deterministic sequence of requests without their times. Confined to one thread. */
public interface Source {
  /** Draws the next request. */
  void next(Draw draw);
}
