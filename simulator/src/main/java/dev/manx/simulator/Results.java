/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ClusterEvents.Totals;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.Outcome.ClassOutcome;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Recovery;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds the {@link Outcome} of a finished world. */
final class Results {
  private static final double NEVER_IDLE_PCT = 99.5;

  /** Largest share of the measured requests, open at the last arrival, that is not a backlog. */
  private static final double GROWN = 0.01;

  /** Limit of the final backlog over that at half of all requests: a steady rise doubles it. */
  private static final double GROWS = 1.5;

  private final World world;
  private final ClusterEvents surroundings;
  private final RunSpec run;
  private final double offeredLoad;

  /**
   * Creates the results of a finished world.
   *
   * @param offeredLoad load as a share of the cluster's capacity
   */
  Results(World world, ClusterEvents surroundings, RunSpec run, double offeredLoad) {
    this.offeredLoad = offeredLoad;
    this.world = world;
    this.surroundings = surroundings;
    this.run = run;
  }

  Outcome outcome(Meter meter) {
    Map<RequestClass, ClassOutcome> classes = world.recorder.results();
    return new Outcome(
        classes,
        surroundings.windowNanos(),
        metrics(),
        world.checks.results(),
        surroundings.points(),
        meter.cost(world.checks.executedCount(), world.calendar.events()));
  }

  /*
   * An open system is stable below a load of 1 if no copies or misses add work and no node gets
   * more than its share. Otherwise the measurements show it: cores that are never idle, or a
   * backlog still growing in the second half of the run. Closed loops limit themselves.
   */
  private boolean stable(double utilisationPct) {
    if (run.thinkNanos() > 0) {
      return true;
    }
    double open = surroundings.openAtClosing();
    boolean grows =
        open > GROWN * run.requests() * (1 - run.warmUpShare())
            && open > GROWS * surroundings.openAtMiddle();
    double load = offeredLoad / world.model.speeds().meanFactor();
    return load < 1 && utilisationPct < NEVER_IDLE_PCT && !grows;
  }

  /*
   * Every possible event has a metric in every run: results are pooled as medians over the runs
   * with the metric, so a run without the event counts with 0.
   */
  private Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    Totals from = surroundings.atOpening();
    Totals to = surroundings.atClosing();
    double cores = (double) world.model.nodes() * world.model.cores();
    double window = surroundings.windowNanos();
    double reads = Math.max(1, to.reads() - from.reads());
    boolean closed = run.thinkNanos() > 0;
    if (closed) {
      // The rate follows from the answers; the configured rate is not offered.
      metrics.put(Outcome.CLIENTS, (double) run.clients());
    } else {
      metrics.put("offered_per_s", run.requestsPerSecond());
    }
    metrics.put(Outcome.UTILISATION, 100 * (to.busyNanos() - from.busyNanos()) / window / cores);
    metrics.put("service_us_per_read", (to.busyNanos() - from.busyNanos()) / reads / 1e3);
    metrics.put("reads_per_s", reads / window * 1e9);
    if (!closed) {
      metrics.put("offered_load_pct", 100 * offeredLoad);
    }
    metrics.put(Outcome.STABLE, stable(metrics.get(Outcome.UTILISATION)) ? 1.0 : 0.0);
    metrics.put("reads_waited_pct", 100 * (to.waited() - from.waited()) / reads);
    long copies = to.copies() - from.copies();
    double wanted = Math.max(1, to.sent() - from.sent() - copies);
    metrics.put("messages_per_read", (to.messages() - from.messages()) / wanted);
    if (world.mayCopy) {
      metrics.put("copies_pct", 100 * copies / wanted);
      double busy = Math.max(1, to.busyNanos() - from.busyNanos());
      metrics.put("wasted_work_pct", 100 * (to.wastedNanos() - from.wastedNanos()) / busy);
      metrics.put("wasted_reads_pct", 100 * (to.wastedRuns() - from.wastedRuns()) / reads);
    }
    if (world.model.cache().isPresent()) {
      // Not over the reads that ended: some reads have missed and not ended, or were lost.
      double lookups = Math.max(1, to.lookups() - from.lookups());
      metrics.put("cache_hit_pct", 100 * (1 - (to.misses() - from.misses()) / lookups));
      metrics.put("disk_mb_per_s", (to.missedBytes() - from.missedBytes()) / 1e6 / window * 1e9);
    }
    metrics.put("large_misjudged_pct", to.misjudged().largePct(from.misjudged()));
    metrics.put("small_misjudged_pct", to.misjudged().smallPct(from.misjudged()));
    if (world.gossip != null) {
      double bytes = to.gossipBytes() - from.gossipBytes();
      double messages = Math.max(1, to.gossipMessages() - from.gossipMessages());
      metrics.put("exchange_kb_per_s", bytes / 1e3 / window * 1e9);
      metrics.put("exchange_bytes_per_message", bytes / messages);
      metrics.put("exchange_bytes_per_read", bytes / reads);
    }
    Recovery.Found recovery = world.recorder.recovery();
    if (recovery != null) {
      metrics.put(Recovery.RECOVER_MS, recovery.nanos() / 1e6);
      metrics.put(Recovery.NOT_RECOVERED, recovery.recovered() ? 0.0 : 1.0);
    }
    metrics.values().removeIf(value -> value.isNaN());
    if (mayLose()) {
      metrics.put("reads_lost", (double) (to.lost() - from.lost()));
    }
    metrics.put("overloaded_reads_pct", 100 * (to.overloaded() - from.overloaded()) / reads);
    metrics.put("long_queue_reads_pct", 100 * (to.servedLong() - from.servedLong()) / reads);
    metrics.put("max_wait_cuts_pct", 100 * (to.cuts() - from.cuts()) / reads);
    long overflowed = 0;
    for (Replica replica : world.replicas) {
      overflowed += replica.queue.overflowed;
    }
    metrics.put("reads_beyond_order", (double) overflowed);
    metrics.put("most_reads_on_their_way", (double) world.mostOnTheirWay);
    long failed = world.checks.results().stream().filter(check -> !check.holds()).count();
    metrics.put("checks_failed", (double) failed);
    return metrics;
  }

  private boolean mayLose() {
    return world.model.network().loss() > 0
        || world.model.faults().stream().anyMatch(fault -> fault.trouble() == Trouble.DEAD);
  }
}
