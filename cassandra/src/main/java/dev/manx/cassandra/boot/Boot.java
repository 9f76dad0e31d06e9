/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.idle.ParkIdle;
import dev.manx.policy.idle.ThreadWaiter;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the plugin once the node is set up: the query handler is made far too early, in the middle
 * of Cassandra's own start. Whatever goes wrong, the node starts without Manx and says so.
 */
public final class Boot {
  private static final Logger logger = LoggerFactory.getLogger(Boot.class);
  private static final long POLL_MILLIS = 20;

  private Boot() {}

  /**
   * Waits in the background until the node is set up, then boots. The entry class calls it once.
   */
  public static void start() {
    Thread thread = new Thread(Boot::whenReady, "manx-boot");
    thread.setDaemon(true);
    thread.start();
  }

  private static void whenReady() {
    try {
      // Nothing of Cassandra wakes us when it is set up.
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
    }
  }

  private static boolean isSetUp() {
    CassandraDaemon daemon = CassandraDaemon.getInstanceForTesting();
    return daemon != null && daemon.setupCompleted();
  }

  private static Plugin plugin() {
    String named = System.getProperty("manx.config");
    Path path = named == null ? ConfigFiles.onClassPath() : Path.of(named);
    try {
      if (path == null) {
        throw new ConfigException(
            "manx.yaml",
            0,
            "",
            null,
            "a file named by -Dmanx.config, or manx.yaml in Cassandra's conf");
      }
      PluginConfig.Loaded loaded = PluginConfig.load(path);
      NodeLimits.check(loaded.file(), loaded.plugin());
      Strategy strategy = stockStrategy();
      if (loaded.strategy().isPresent()) {
        Blueprint blueprint = Blueprint.of(loaded.strategy().get(), Host.node(System::nanoTime));
        NodeLimits.check(loaded.file(), blueprint);
        strategy = NodeLimits.build(loaded.file(), blueprint, null);
      }
      return new Plugin(loaded.plugin(), loaded.record(), loaded.file(), strategy, "");
    } catch (ConfigException e) {
      logger.error(
          "MANX IS OFF, its configuration is refused. The node works as stock. {}", e.getMessage());
      PluginConfig.Loaded defaults = ConfigFiles.defaults();
      return new Plugin(
          defaults.plugin(), defaults.record(), defaults.file(), stockStrategy(), e.getMessage());
    }
  }

  private static Strategy stockStrategy() {
    return Strategy.parse("none", "strategy: {}", System::nanoTime);
  }
}
