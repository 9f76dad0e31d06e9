/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

/** An endless, deterministic sequence of requests with their times. Confined to one thread. */
public interface TimedSource extends Source {
  /** The gap before the next request, in mean gaps. Called once before each {@link #next}. */
  double gap();
}
