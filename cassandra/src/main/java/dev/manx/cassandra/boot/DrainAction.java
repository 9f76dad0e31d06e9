/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an action when the node begins to shut down or to drain, in any mode. */
/*
 * Cassandra registers and removes such actions under StorageService's monitor, which it also holds
 * while the node joins the ring or drains: as long as its streams or flushes last. So no switch may
 * wait for it. The action is registered once, on a separate thread, and stays.
 */
final class DrainAction {
  private static final Logger logger = LoggerFactory.getLogger(DrainAction.class);

  private final Runnable action;
  private boolean begun;

  /**
   * @param action must have no effect if there is nothing to end
   */
  DrainAction(Runnable action) {
    this.action = action;
  }

  /** Has the action registered, at the first call. Never blocks. Calls are serialized. */
  void begin() {
    if (begun) {
      return;
    }
    Thread thread = new Thread(this::register, "manx-shutdown-hook");
    thread.setDaemon(true);
    thread.start();
    begun = true;
  }

  private void register() {
    try {
      StorageService.instance.addPreShutdownHook(action);
    } catch (RuntimeException | LinkageError e) {
      logger.warn("Manx: held reads will wait while the node shuts down", e);
    }
  }
}
