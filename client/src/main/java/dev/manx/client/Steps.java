/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;

/**
 * Steps of an end, of which each is taken whatever those before have thrown: a store of the
 * application that fails must not keep the threads of others alive. Any thread.
 */
final class Steps {
  private final SparseLog log = new SparseLog(FanoutCache.class);

  /** Takes them in order; what one throws is logged. */
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
