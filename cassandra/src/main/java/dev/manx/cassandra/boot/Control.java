/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.LogPart;
import dev.manx.cassandra.wire.Signs;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.select.HomeFirst;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What CQL and JMX can see and switch. Any thread. */
public interface Control {
  /** The mode of the moment. */
  Mode mode();

  /**
   * Switches the mode and closes the breaker. {@code OFF} takes effect at once, whatever a policy
   * does, and ends a persisted mode.
   *
   * @throws IllegalStateException if the kill file or a refused configuration forbids it, or
   *     another switch is under way; nothing has changed then
   */
  void mode(Mode wanted);

  /**
   * Switches to another strategy; what the last one learned stays where its oracle is the same.
   *
   * @param yaml a document with {@code strategy:} at the top
   * @throws dev.manx.policy.config.ConfigException if it is refused; the old strategy stays then
   * @throws IllegalStateException if another switch is under way; the old strategy stays then
   */
  void document(String yaml);

  /**
   * Switches the decision log: {@code off}, {@code on}, or the part of the decisions to record.
   *
   * @throws dev.manx.policy.config.ConfigException if it is none of these
   */
  void record(String value);

  /**
   * A part of the decision log's file, as far as it is written.
   *
   * @param part from 0
   * @return empty if the log ends before it
   * @throws IllegalStateException if another part is being read, or the file cannot be
   */
  Optional<LogPart> recorded(int part);

  /**
   * Sets the time without a waiting read after which requests are left to stock, until the next
   * restart.
   *
   * @throws dev.manx.policy.config.ConfigException if it is no duration from 0s to 1h
   */
  void calmAfter(String duration);

  /**
   * Sets which requests are acted on, until the next restart; the comparison of {@link #latency}
   * begins anew.
   *
   * @param value as in the file behind {@code canary:}, or a share alone
   * @throws dev.manx.policy.config.ConfigException if it is refused
   */
  void canary(String value);

  /**
   * Reads the configuration again: the file, and what was persisted.
   *
   * @param value {@code check} to judge it only, {@code now} to take it up
   * @throws dev.manx.policy.config.ConfigException if it is refused; nothing has changed then
   * @throws IllegalStateException if there is no file, or another switch is under way
   */
  void reload(String value);

  /**
   * Persists switches, so that they survive a restart, or ends that.
   *
   * @param value names of rows whose present values are to be persisted, with commas; or {@code
   *     reset} and names of those that are not to be any more, all if none is named
   * @throws dev.manx.policy.config.ConfigException if it is neither
   * @throws IllegalStateException if the file cannot be written; nothing has changed then
   */
  void persist(String value);

  /** The rows of {@code manx.latency}. */
  List<RequestLatency.Row> latency();

  /** The rows of {@code manx.strategy}. */
  Map<String, String> status();

  /** The rows of {@code manx.counters}. */
  Map<String, Long> counters();

  /** The rows of {@code manx.hooks}: state and detail by hook. */
  Map<String, Map.Entry<String, String>> hooks();

  /** The rows of {@code manx.tables}, by keyspace and table. */
  Map<String, TableTimers.Row> tables();

  /** Ids of endpoints. */
  Nodes nodes();

  /** Their state as this coordinator knows it. */
  ClusterState state();

  /** Which of them show signs of Manx. */
  Signs signs();

  /** Which of them this node need not ask for what it has, while no read waits. */
  HomeFirst home();

  /** The clock of ages. */
  NanoClock clock();
}
