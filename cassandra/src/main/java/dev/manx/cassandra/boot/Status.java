/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.Version;
import dev.manx.policy.config.NodeSettings;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Strategy;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The plugin's status, for the virtual tables and JMX. Any thread. */
final class Status {
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Parts parts;
  private final Switches switches;
  private final KillFile killFile;
  private final String file;
  private final Supplier<String> metrics;
  private final Supplier<Map<String, String>> configuration;

  /**
   * @param file the configuration's path
   * @param metrics the registered metrics
   * @param configuration rows on reloads and persisted switches
   */
  Status(
      Parts parts,
      Switches switches,
      KillFile killFile,
      String file,
      Supplier<String> metrics,
      Supplier<Map<String, String>> configuration) {
    this.parts = parts;
    this.switches = switches;
    this.killFile = killFile;
    this.file = file;
    this.metrics = metrics;
    this.configuration = configuration;
  }

  Map<String, String> rows() {
    Strategy shown = switches.strategy();
    Map<String, String> rows = new TreeMap<>();
    rows.put("version", Version.text());
    rows.put("mode", switches.mode().label());
    rows.put("document", shown.document());
    shown.names().forEach((family, name) -> rows.put("policy." + family, name));
    rows.put("file", file);
    rows.put("kill-file", killFile.describe());
    rows.put("breaker", parts.breaker.describe(parts.clock.nanoTime()));
    rows.put("trouble", trouble(shown));
    rows.put("record", parts.recorder.describe());
    // Exact: it is persisted, and commands compare it with the value that they have set.
    rows.put(PluginConfig.CALM_AFTER, NodeSettings.CALM_AFTER.write(parts.queues.calmAfterNanos()));
    rows.put(PluginConfig.CANARY, parts.measures.canary().config().text());
    rows.put("latency-since", parts.measures.requests().since().toString());
    rows.put("metrics", metrics.get());
    rows.put("queues", queues());
    rows.put("credits.controller", controller());
    rows.putAll(configuration.get());
    rows.putAll(FillLevels.of(parts, switches));
    return rows;
  }

  private String trouble(Strategy shown) {
    String trouble = switches.trouble();
    if (switches.mode() == Mode.OFF) {
      return killFile.words(trouble);
    }
    return trouble.isEmpty() ? NodeLimits.waitsTooLong(shown) : trouble;
  }

  private String controller() {
    InetAddressAndPort leader = switches.conversations().credits().leader();
    return switches.engine() == null || leader == null ? "" : leader.getHostAddressAndPort();
  }

  private String queues() {
    Engine acting = switches.engine();
    if (acting == null) {
      return "";
    }
    if (acting.standsAside()) {
      return "none: requests are left to stock";
    }
    long sinceNanos = parts.queues.sinceNanos(parts.clock.nanoTime());
    // Requests are planned: the strategy acts without queues, or calm-after is 0 or has not passed.
    return sinceNanos > RECENT_NANOS
        ? "no read has waited for "
            + Units.duration(sinceNanos)
            + ": requests are planned nevertheless"
        : "one was seen " + Units.duration(sinceNanos) + " ago";
  }

  Map<String, Long> counters() {
    return LiveCounters.of(parts.counters, switches.presence().hooks().readStage());
  }

  Map<String, Map.Entry<String, String>> hooks() {
    Map<String, Map.Entry<String, String>> rows = new TreeMap<>();
    switches
        .presence()
        .hooks()
        .states()
        .report()
        .forEach(
            (hook, entry) ->
                rows.put(
                    hook.label(),
                    Map.entry(entry.getKey().name().toLowerCase(Locale.ROOT), entry.getValue())));
    return rows;
  }
}
