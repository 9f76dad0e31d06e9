/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;

/**
 * The costs of range and index reads, table by table: a scan of a small table must not rank as one
 * of a large table. Beyond a bound of tables the rest share one cost. Any thread.
 */
final class LearnedCosts {
  /** Most tables with a cost of their own. */
  static final int MOST = 256;

  private final ConcurrentMap<TableId, LearnedCost> costs = new ConcurrentHashMap<>();
  private final LearnedCost rest = new LearnedCost();

  /** Tables with a cost of their own. */
  int size() {
    return costs.size();
  }

  /** Forgets the tables that are no more. */
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
