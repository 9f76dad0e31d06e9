/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.metrics.Registered;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.idle.ParkIdle;
import dev.manx.policy.idle.ThreadWaiter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the plugin once the node is set up: the query handler is created too early for that, in
 * the middle of Cassandra's own start. After any failure the node starts without Manx and logs the
 * failure.
 */
public final class Boot {
  private static final Logger logger = LoggerFactory.getLogger(Boot.class);
  private static final long POLL_MILLIS = 20;

  private Boot() {}

  /**
   * Waits in the background until the node is set up, then boots. Called once by the entry class.
   */
  public static void start() {
    Thread thread = new Thread(Boot::whenReady, "manx-boot");
    thread.setDaemon(true);
    thread.start();
  }

  private static void whenReady() {
    Starting starting = new Starting();
    try {
      starting.show(Registered.ofCassandra());
      // Cassandra has no notification of the end of its set-up.
      IdleStrategy idle =
          new ParkIdle(ThreadWaiter.INSTANCE, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      while (!isSetUp()) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        idle.idle();
      }
      plugin().begin();
    } catch (Throwable e) {
      logger.error("Manx steps aside: it could not start. The node works as stock.", e);
      JVMStabilityInspector.inspectThrowable(e);
    } finally {
      starting.end();
    }
  }

  private static boolean isSetUp() {
    CassandraDaemon daemon = CassandraDaemon.getInstanceForTesting();
    return daemon != null && daemon.setupCompleted();
  }

  private static Plugin plugin() {
    String named = System.getProperty("manx.config");
    return new Plugin(Start.of(named == null ? ConfigFiles.onClassPath() : Path.of(named)));
  }
}
