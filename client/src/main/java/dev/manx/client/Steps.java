/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;

/**
 * Steps of a shutdown, each run even if an earlier one has thrown: a failing store of the
 * application must not keep threads of other parts alive. Thread-safe.
 */
final class Steps {
  private final SparseLog log = new SparseLog(FanoutCache.class);

  /** Runs the steps in order and logs their exceptions. */
  void take(Runnable... steps) {
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        log.warn("a part of the cache failed when it was closed", e);
      }
    }
  }
}
