/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.Arrays;

/** The requests that recorded latencies represent, for tests of other packages. */
public final class WeightedCounts {
  private WeightedCounts() {}

  /** Number of a table's requests of a width, each with its weight. */
  public static long of(RequestLatency latencies, String keyspace, String table, Width width) {
    return latencies.of(keyspace, table, width).stream()
        .flatMapToLong(counts -> Arrays.stream(counts.all()))
        .sum();
  }
}
