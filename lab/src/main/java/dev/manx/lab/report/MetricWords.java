/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import java.util.Map;

/** What the better known metrics mean; a metric without words is shown by its name alone. */
final class MetricWords {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("utilisation_pct", "share of the read threads' time in use, mean over nodes"),
          Map.entry("utilisation_max_node_pct", "the same of the busiest node"),
          Map.entry("model_wanted_ms_per_read", "service time that the model asks for"),
          Map.entry("model_slept_ms_per_read", "service time that reads really took"),
          Map.entry("model_oversleep_pct", "how much longer than asked for they took"),
          Map.entry("cpu_us_per_read_nodes", "CPU of all nodes per read of a replica"),
          Map.entry("cpu_us_per_read_client", "CPU of the load generator per read of a replica"),
          Map.entry("cpu_pct_nodes", "share of the machine's CPU used by the nodes"),
          Map.entry("cpu_pct_client", "share used by the load generator"),
          Map.entry("cpu_pct_foreign", "share used by anything else: should be small"),
          Map.entry("cpu_pct_steal", "share taken by the host: should be small"),
          Map.entry("schedule_lag_p99_us", "how late the load generator itself was"),
          Map.entry("decisions_changed_pct", "choices of a replica that differ from stock's"),
          Map.entry("order_changed_pct", "reads served out of the order of arrival"),
          Map.entry("not_sent", "requests held back by the safety limit"),
          Map.entry("saturated", "1: not compared on latency"));

  private MetricWords() {}

  static String of(String name) {
    return WORDS.getOrDefault(name, "");
  }
}
