/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import java.util.Map;

/** {@code dev.manx:type=Manx}: the kill switch and the counters over JMX. */
public interface ManxMXBean {
  /** The present mode: off, shadow or on. */
  String getMode();

  /** Switches the mode; {@code off} removes the hooks from the path. */
  void setMode(String mode);

  /** The strategy's document. */
  String getStrategy();

  /** Switches the strategy. */
  void setStrategy(String yaml);

  /** {@code off}, or how full the decision log is, or why it ended. */
  String getRecord();

  /** Switches the decision log: off, on, or the part of the decisions to record. */
  void setRecord(String value);

  /** The switches that survive a restart, and the time of the last change; empty for none. */
  String getPersisted();

  /**
   * Persists present values of switches, as {@code persisted} of {@code manx.strategy} does.
   *
   * @param rows such as {@code mode, record}; or {@code reset}, alone or before names
   */
  void persist(String rows);

  /** {@code closed}, or {@code open} or {@code half-open} with the last failure. */
  String getBreaker();

  /** All counters since the node started. */
  Map<String, Long> getCounters();
}
