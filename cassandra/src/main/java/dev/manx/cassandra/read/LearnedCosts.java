/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;

/**
 * The costs of range and index reads by table: a scan of a small table must not rank like one of a
 * large table. Tables beyond a bound share one cost. Any thread.
 */
final class LearnedCosts {
  /** Most tables with separate costs. */
  static final int MOST = 256;

  private final ConcurrentMap<TableId, LearnedCost> costs = new ConcurrentHashMap<>();
  private final LearnedCost rest = new LearnedCost();

  /** Number of tables with separate costs. */
  int size() {
    return costs.size();
  }

  /** Forgets dropped tables. */
  void sweep(Predicate<TableId> exists) {
    costs.keySet().removeIf(exists.negate());
  }

  /** The cost of reads of a table. */
  LearnedCost of(TableId table) {
    LearnedCost cost = costs.get(table);
    if (cost != null) {
      return cost;
    }
    return costs.size() < MOST ? costs.computeIfAbsent(table, id -> new LearnedCost()) : rest;
  }
}
