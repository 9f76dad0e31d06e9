/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import java.util.Map;

/** {@code dev.manx:type=Manx}: the kill switch and the counters over JMX. */
public interface ManxMXBean {
  /** The mode of the moment: off, shadow or on. */
  String getMode();

  /** Switches the mode; {@code off} takes the hooks out of the path. */
  void setMode(String mode);

  /** The strategy's document. */
  String getStrategy();

  /** Switches the strategy. */
  void setStrategy(String yaml);

  /** {@code closed}, or {@code open:} and why. */
  String getBreaker();

  /** Everything counted since the node started. */
  Map<String, Long> getCounters();
}
