/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.CpuMetric;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Saturation;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.cache.Slo;
import dev.manx.workload.result.Recovery;
import java.util.Map;

/** The meanings of common metrics; a metric without words is shown by its name alone. */
final class MetricWords {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry(
              Saturation.UTILISATION,
              "share of the time of the read threads in use, in the simulator of the cores; mean"
                  + " over nodes"),
          Map.entry("utilisation_max_node_pct", "time in use, at the busiest node"),
          Map.entry("model_wanted_ms_per_read", "service time intended by the model"),
          Map.entry("model_slept_ms_per_read", "actual service time of reads"),
          Map.entry("model_oversleep_pct", "actual over intended service time"),
          Map.entry("disk_reads_per_read", "reads of the nodes' disks per read asked of a replica"),
          Map.entry(
              "disk_bytes_per_read", "bytes from the nodes' disks per read asked of a replica"),
          Map.entry("disk_used_pct", "share of the disk reads that the nodes may have, mean"),
          Map.entry("disk_used_max_node_pct", "share of the disk reads, at the busiest node"),
          Map.entry(CpuMetric.NODES_PER_READ, "CPU of all nodes per read asked of a replica"),
          Map.entry(CpuMetric.COMPILERS_PER_READ, "the part of it used by just-in-time compilers"),
          Map.entry("cpu_us_per_read_collectors", "the part of it used by garbage collection"),
          Map.entry(
              "cpu_us_per_read_client", "CPU of the load generator per read asked of a replica"),
          Map.entry(CpuMetric.NODES, "share of the machine's CPU used by the nodes"),
          Map.entry("cpu_pct_client", "share used by the load generator"),
          Map.entry("cpu_pct_foreign", "share used by other programs: should be small"),
          Map.entry("cpu_pct_steal", "share taken by the host: should be small"),
          Map.entry("schedule_lag_p99_us", "delay of the load generator itself"),
          Map.entry("decisions_changed_pct", "choices of a replica that differ from stock's"),
          Map.entry(
              "reads_served_per_read",
              "reads that the nodes served per read that requests asked of replicas; above 1: retries"
                  + " and copies"),
          Map.entry("order_changed_pct", "reads served out of the order of arrival"),
          Map.entry("cpu_us_per_operation", "CPU of the squeezed process per operation"),
          Map.entry("cpu_pct_worker", "share of the machine's CPU used by the squeezed process"),
          Map.entry("waits", "operations that had to wait for another thread"),
          Map.entry("checks_per_wait", "unsuccessful checks of such an operation"),
          Map.entry("p999_boosted_us", "P99.9 of the threads that may be boosted"),
          Map.entry("p999_others_us", "P99.9 of the other threads"),
          Map.entry("safepoint_longest_ms", "longest pause of the JVM itself"),
          Map.entry("errors", "requests that failed, of all rounds"),
          Map.entry("timed_out", "requests that timed out, of all rounds"),
          Map.entry(
              "not_sent",
              "requests of all rounds that were not sent: too many in progress, or too late"),
          Map.entry("wrong_rows", "rows with another value than was written, of all rounds"),
          Map.entry("missing_rows", "rows that were missing, of all rounds"),
          Map.entry("duplicate_rows", "rows that came more than once, of all rounds"),
          Map.entry(
              "unfinished", "operations of all rounds that had not begun at the window's end"),
          Map.entry("frozen_pct", "decisions not made for lack of fresh statistics"),
          Map.entry("failed_ticks", "decisions that ended in an exception, of all rounds"),
          Map.entry("failed_moves", "moves of space that failed or came late, of all rounds"),
          Map.entry("noisy", "share of rounds in which other programs used too much"),
          Map.entry("schedule_lag_max_us", "the generator's longest delay in any round"),
          Map.entry(Slo.MISSED, "share of the time in which the goal was missed"),
          Map.entry("latency_worst_minute_ms", "the worst minute's percentile"),
          Map.entry(
              "backend_load_vs_shared", "queries to the backend divided by those behind one LRU"),
          Map.entry("static_space_pct", "cache that fixed shares would need for the same peaks"),
          Map.entry("resting_pct", "time in which the policy kept the shares of a shared cache"),
          Map.entry("dominant_rbc_pct", "requests near the P99 that one backend blocks"),
          Map.entry("p99_ms_squeezed", "P99 of requests intended while a backend was squeezed"),
          Map.entry("p99_ms_late", "P99 of requests intended while a backend was late"),
          Map.entry("p99_ms_erring", "P99 of requests intended while a backend failed loads"),
          Map.entry("p99_ms_shifted", "P99 of requests intended while other keys were popular"),
          Map.entry("p99_ms_calm", "P99 of the other requests"),
          Map.entry("p50_ms_squeezed", "median of requests intended while a backend was squeezed"),
          Map.entry("p50_ms_late", "median of requests intended while a backend was late"),
          Map.entry("p50_ms_erring", "median of requests intended while a backend failed loads"),
          Map.entry("p50_ms_shifted", "median of requests intended while other keys were popular"),
          Map.entry("p50_ms_calm", "median of the other requests"),
          Map.entry("looks_beyond_goal_pct", "half seconds whose P99 missed the goal"),
          Map.entry("p50_ms", "median of the requests around that moment"),
          Map.entry("p90_ms", "P90 of the requests around that moment"),
          Map.entry("p99_ms", "P99 of the requests around that moment"),
          Map.entry("max_ms", "slowest request around that moment"),
          Map.entry("latency_mean_us", "mean of that second's operations"),
          Map.entry("latency_p99_us", "P99 of that second's operations"),
          Map.entry("latency_max_us", "slowest of that second's operations"),
          Map.entry("share_mib", "a backend's share of the cache"),
          Map.entry("share_mean_mib", "its share of the cache, mean over time"),
          Map.entry("hit_ratio_pct", "queries to the backend that the cache answered"),
          Map.entry("hit_pct", "keys of a backend that the cache had"),
          Map.entry("misses_per_s", "keys of a backend that the cache did not have"),
          Map.entry("blocked_per_s", "requests whose slowest query was to this backend"),
          Map.entry(
              "blocking_pct", "share of the requests near the P99 that this backend made slow"),
          Map.entry(
              Saturation.STABLE,
              "1: queues do not grow; 0: they grow, and latency is not compared"),
          Map.entry(Outcome.CLIENTS, "clients that wait for their answer and then think"),
          Map.entry("offered_load_pct", "load of the cluster divided by its capacity"),
          Map.entry(
              Recovery.RECOVER_MS, "from the end of the last fault until its effect has passed"),
          Map.entry(
              Recovery.NOT_RECOVERED,
              "share of runs that ended before that; recover_ms is then a lower bound, or missing"),
          Map.entry("reads_lost", "reads of nodes that died, and lost messages; most in a run"),
          Map.entry("reads_beyond_order", "reads that an order had no room for; most in a run"),
          Map.entry("checks_failed", "checks of the simulator that failed; most in a run"),
          Map.entry("messages_per_read", "messages between nodes, both ways, for each read"),
          Map.entry("copies_pct", "second copies sent, of all reads"),
          Map.entry("wasted_work_pct", "cores' time spent on reads that another copy answered"),
          Map.entry(
              "wasted_reads_pct",
              "such executions, also stopped ones, per execution that reached its end"),
          Map.entry(
              Measured.FAILED,
              "requests that failed, timed out or were not sent; they may have no latency"),
          Map.entry("outstanding", "requests in progress"),
          Map.entry(Measured.THROUGHPUT, "requests answered successfully"),
          Map.entry(Saturation.SATURATED, "1: not compared on latency"));

  private MetricWords() {}

  static String of(String name) {
    return WORDS.getOrDefault(name, "");
  }
}
