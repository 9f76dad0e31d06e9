/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.Units;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Settings by their keys in {@code manx.yaml}, in the notation of that file. */
final class SettingRows {
  /** Settings that a running node cannot apply. */
  static final Set<String> FIXED =
      Set.of("plugin.nodes", "plugin.outstanding", "plugin.persisted-file");

  private SettingRows() {}

  static Map<String, String> of(PluginConfig plugin) {
    Map<String, Object> rows = new LinkedHashMap<>();
    rows.put("mode", plugin.mode().label());
    rows.put("kill-file", plugin.killFile());
    rows.put("unpage-up-to", plugin.unpageUpTo());
    rows.put("widest-request", plugin.widestRequest());
    rows.put("nodes", plugin.nodes());
    rows.put("outstanding", plugin.outstanding());
    rows.put("learn-from-writes", plugin.learnFromWrites());
    rows.put("hold-retries", plugin.holdRetries());
    rows.put("calm-after", Units.duration(plugin.calmAfterNanos()));
    rows.put("rack-price", Units.duration(plugin.rackPriceNanos()));
    rows.put("severity-price", Units.duration(plugin.severityPriceNanos()));
    rows.put("metrics-tables", plugin.metricsTables());
    rows.put("persisted-file", plugin.persistedFile());
    rows.put("breaker.failures", plugin.breakerFailures());
    rows.put("breaker.window", Units.duration(plugin.breakerWindowNanos()));
    rows.put("breaker.retry-after", Units.duration(plugin.breakerRetryNanos()));
    rows.put("in-flight.keys", plugin.keysInFlight());
    rows.put("in-flight.bytes", Units.bytes(plugin.bytesInFlight()));
    rows.put("canary", plugin.canary().text());
    return prefixed("plugin.", rows);
  }

  static Map<String, String> of(RecordConfig record) {
    Map<String, Object> rows = new LinkedHashMap<>();
    String on = record.requestsOnly() ? "requests" : "on";
    rows.put("mode", record.on() ? on : "off");
    rows.put("file", record.file());
    rows.put("max-size", Units.bytes(record.maxBytes()));
    rows.put("sample", record.sample());
    return prefixed("record.", rows);
  }

  private static Map<String, String> prefixed(String prefix, Map<String, Object> rows) {
    Map<String, String> written = new TreeMap<>();
    rows.forEach((key, value) -> written.put(prefix + key, value.toString()));
    return written;
  }
}
