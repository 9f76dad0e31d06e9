/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.credit.CreditRounds;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.cassandra.tied.Ties;
import dev.manx.policy.config.Units;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.strategy.Strategy;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The fill levels of the bounded structures, and their bounds, for operators. */
final class FillLevels {
  private FillLevels() {}

  static Map<String, String> of(Parts parts, Switches switches) {
    Map<String, String> rows = new TreeMap<>();
    tickets(rows, parts);
    oracles(rows, switches.strategy());
    KeptOracles kept = switches.keptOracles();
    rows.put("oracle.kept.memory", bytes(kept.keptBytes(switches.strategy()), kept.mostBytes()));
    queue(rows, switches.presence().hooks().readStage(), switches.strategy());
    inFlight(rows, switches.presence().inFlight());
    rows.put("in-flight.timed-reads", of(parts.timed.size(), parts.timed.most()));
    copies(rows, switches.presence().copier(), parts.state.tickets().capacity());
    ties(rows, switches.presence().ties());
    rows.put(
        "credits.messages",
        of(switches.conversations().credits().waiting(), CreditRounds.MOST_LETTERS));
    rows.put("holds.reads", of(switches.presence().holds().held(), Holds.MOST));
    RequestLatency latency = parts.measures.requests();
    rows.put("metrics.memory", bytes(latency.memoryBytes(), latency.mostBytes()));
    rows.put("tables.timed", of(switches.presence().timers().size(), TableTimers.MOST));
    rows.put("record.buffer", bytes(parts.recorder.bufferedBytes(), RecordingSwitch.BUFFER_BYTES));
    return rows;
  }

  /** A copy, or a read that may be copied, is tracked as long as it has a ticket. */
  private static void copies(Map<String, String> rows, Copier copier, int tickets) {
    rows.put("copies.armed", of(copier.armed(), Copier.mostArmed()));
    rows.put("copies.followed", of(copier.ends().firsts(), tickets));
    rows.put("copies.under-way", of(copier.underWay(), tickets));
  }

  private static void ties(Map<String, String> rows, Ties ties) {
    rows.put("copies.offered", of(ties.offered(), Ties.mostOffered()));
    rows.put("copies.passed-on", of(ties.passed(), Ties.mostPassed()));
    rows.put("copies.waiting", of(ties.waiting(), Ties.mostWaiting()));
  }

  private static void tickets(Map<String, String> rows, Parts parts) {
    ClusterState state = parts.state;
    rows.put("tickets.open", of(state.tickets().size(), state.tickets().capacity()));
    rows.put("tickets.memory", Units.bytes(state.tickets().memoryBytes()));
    rows.put("nodes.known", of(parts.nodes.known().size(), parts.nodes.capacity()));
  }

  private static void oracles(Map<String, String> rows, Strategy strategy) {
    if (strategy.sizes() != null) {
      rows.put("oracle.size.memory", Units.bytes(strategy.traits().sizeMemoryBytes()));
      rows.put(
          "oracle.size.fill-ratio", String.format(Locale.ROOT, "%.4f", strategy.sizeFillRatio()));
    }
    if (strategy.popularity() != null) {
      rows.put("oracle.popularity.memory", Units.bytes(strategy.traits().popularityMemoryBytes()));
    }
    rows.put("forecast.small", Units.duration(strategy.forecast().smallNanos()));
    rows.put("forecast.large", Units.duration(strategy.forecast().largeNanos()));
  }

  private static void queue(Map<String, String> rows, ReadStage stage, Strategy strategy) {
    long ranked = stage == null ? 0 : stage.ranked().size();
    long inTurn = stage == null ? 0 : Math.max(0, stage.queued() - ranked);
    long tables = stage == null ? 0 : stage.tablesWithCosts();
    rows.put(
        "queue.ranked",
        strategy.queueCapacity().isPresent()
            ? of(ranked, strategy.queueCapacity().getAsLong())
            : Long.toString(ranked));
    rows.put("queue.in-turn", of(inTurn, ReadStage.MOST_IN_TURN));
    rows.put("queue.learned-costs", of(tables, ReadStage.MOST_COSTS));
  }

  private static void inFlight(Map<String, String> rows, InFlight inFlight) {
    rows.put("in-flight.keys", of(inFlight.keys(), inFlight.mostKeys()));
    rows.put("in-flight.bytes", bytes(inFlight.bytes(), inFlight.mostBytes()));
  }

  private static String of(long used, long most) {
    return used + " of " + most;
  }

  private static String bytes(long used, long most) {
    return Units.bytes(used) + " of " + Units.bytes(most);
  }
}
