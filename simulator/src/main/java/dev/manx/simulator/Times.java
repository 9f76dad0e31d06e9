/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.source.Draw;
import java.util.Arrays;

/**
 * The service times and forecasts of the reads of a request, drawn with it, so that they do not
 * depend on when a strategy plans it. In reused arrays. Confined to one thread.
 */
final class Times {
  /** Service time of each execution at speed 1, without a miss. */
  long[] baseNanos = new long[16];

  /** Forecast service time of each read; unused by strategies that forecast. */
  long[] forecastNanos = new long[16];

  /** Forecast size of each read. */
  int[] forecastBytes = new int[16];

  /** Makes room for a request. */
  void reserve(Draw draw) {
    int executions = draw.executions();
    if (baseNanos.length < executions) {
      baseNanos = Arrays.copyOf(baseNanos, executions * 2);
    }
    if (forecastNanos.length < draw.reads()) {
      forecastNanos = Arrays.copyOf(forecastNanos, draw.reads() * 2);
      forecastBytes = Arrays.copyOf(forecastBytes, draw.reads() * 2);
    }
  }

  /** Becomes equal to the times of a request, which may then change. */
  void copy(Times other, Draw draw) {
    reserve(draw);
    System.arraycopy(other.baseNanos, 0, baseNanos, 0, draw.executions());
    System.arraycopy(other.forecastNanos, 0, forecastNanos, 0, draw.reads());
    System.arraycopy(other.forecastBytes, 0, forecastBytes, 0, draw.reads());
  }
}
