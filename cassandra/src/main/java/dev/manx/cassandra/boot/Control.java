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

/** The state and switches that CQL and JMX offer. Any thread. */
public interface Control {
  /** The present mode. */
  Mode mode();

  /**
   * Switches the mode and closes the breaker. {@code OFF} takes effect at once, even if a policy
   * blocks, and deletes a persisted mode.
   *
   * @throws IllegalStateException if the kill file or a refused configuration forbids it, or
   *     another switch is under way; nothing has changed then
   */
  void mode(Mode wanted);

  /**
   * Switches to another strategy; an oracle with unchanged settings keeps its learnt data.
   *
   * @param yaml a document with {@code strategy:} at the top
   * @throws dev.manx.policy.config.ConfigException if it is refused; the old strategy then stays
   * @throws IllegalStateException if another switch is under way; the old strategy then stays
   */
  void document(String yaml);

  /**
   * Switches the decision log: {@code off}, {@code on}, or the part of the decisions to record.
   *
   * @throws dev.manx.policy.config.ConfigException if it is another value
   */
  void record(String value);

  /**
   * Returns a part of the decision log's file, as far as it has been written.
   *
   * @param part from 0
   * @return empty if the log ends before it
   * @throws IllegalStateException if another part is being read, or the file is unreadable
   */
  Optional<LogPart> recorded(int part);

  /**
   * Sets the time without a waiting read after which requests are left to stock, until the next
   * restart.
   *
   * @throws dev.manx.policy.config.ConfigException if it is not a duration from 0s to 1h
   */
  void calmAfter(String duration);

  /**
   * Sets the requests that Manx acts on, until the next restart; the comparison of {@link #latency}
   * starts anew.
   *
   * @param value as in the file after {@code canary:}, or a share alone
   * @throws dev.manx.policy.config.ConfigException if it is refused
   */
  void canary(String value);

  /**
   * Reloads the configuration: the file, and the persisted switches.
   *
   * @param value {@code check} to validate it only, {@code now} to apply it
   * @throws dev.manx.policy.config.ConfigException if it is refused; nothing has changed then
   * @throws IllegalStateException if there is no file, or another switch is under way
   */
  void reload(String value);

  /**
   * Persists switches, so that they survive a restart, or deletes persisted ones.
   *
   * @param value names of rows whose present values are to be persisted, separated by commas; or
   *     {@code reset} and names of rows to delete, all if none is named
   * @throws dev.manx.policy.config.ConfigException if it is neither of these
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

  /** The state of nodes as known to this coordinator. */
  ClusterState state();

  /** The endpoints that show signs of Manx. */
  Signs signs();

  /** The endpoints that need not get reads of keys held here, while no read waits. */
  HomeFirst home();

  /** The clock of ages. */
  NanoClock clock();
}
