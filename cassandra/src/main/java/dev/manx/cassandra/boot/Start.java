/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration at start-up: the file, and the persisted switches on top of it. An invalid
 * switch is ignored with an error in the log; an invalid file leaves Manx off.
 *
 * @param path the file; null if there is none
 * @param file its name for operators
 * @param persisted null if the file was refused, since its place is then unknown
 * @param refused why the file was refused; empty if it was not
 * @param killFileKnown false if the file was refused and does not even name its kill file
 */
record Start(
    Path path,
    String file,
    PluginConfig plugin,
    RecordConfig record,
    Strategy strategy,
    Persisted persisted,
    String refused,
    boolean killFileKnown) {
  private static final Logger logger = LoggerFactory.getLogger(Start.class);

  /**
   * Reads the file and the switches.
   *
   * @param path null if no file is named and none exists
   */
  static Start of(Path path) {
    if (path == null) {
      logger.error(
          "MANX IS OFF: no manx.yaml was found. The node works as stock. Put manx.yaml into"
              + " Cassandra's conf folder, or name a file by -Dmanx.config.");
      return off(null, "no manx.yaml was found");
    }
    try {
      return of(path, Configured.read(path));
    } catch (ConfigException e) {
      logger.error(
          "MANX IS OFF: its configuration was rejected. The node works as stock. {}",
          e.getMessage());
      return off(path, e.getMessage());
    }
  }

  private static Start off(Path path, String why) {
    Optional<Path> killFile = path == null ? Optional.empty() : ConfigFiles.killFile(path);
    PluginConfig.Loaded defaults = ConfigFiles.defaults(path, killFile);
    Strategy stock = Strategy.parse("none", "strategy: {}", System::nanoTime);
    return new Start(
        path,
        path == null ? defaults.file() : path.toString(),
        defaults.plugin(),
        defaults.record(),
        stock,
        null,
        why,
        path == null || killFile.isPresent());
  }

  private static Start of(Path path, Configured own) {
    Persisted persisted = Persisted.ofNode(own.plugin().persistedFile());
    try {
      PersistedRows rows = persisted.read();
      if (!rows.isEmpty()) {
        Start start = of(path, own.with(rows), persisted);
        persisted.use(rows);
        logger.info("Manx: persisted switches override {}: {}", path, rows.words());
        return start;
      }
    } catch (RuntimeException e) {
      persisted.ignore(String.valueOf(e.getMessage()));
      logger.error(
          "MANX IGNORES ITS PERSISTED SWITCHES and uses {} alone: {}", path, e.getMessage());
    }
    return of(path, own, persisted);
  }

  private static Start of(Path path, Configured configured, Persisted persisted) {
    return new Start(
        path,
        configured.file(),
        configured.plugin(),
        configured.record(),
        NodeLimits.build(configured.file(), configured.strategy(), null),
        persisted,
        "",
        true);
  }
}
