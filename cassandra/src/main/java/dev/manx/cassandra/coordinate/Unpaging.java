/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.ClientState;

/**
 * Decides whether a multiget may be read without paging. With a page size set, Cassandra reads the
 * partitions of an {@code IN} list one after another through a pager, even when the whole result
 * fits one page; without a page size it reads them in parallel.
 */
final class Unpaging {
  private Unpaging() {}

  /** Whether the paging of this kind of statement may be removed; cheap. */
  static boolean mayApply(Engine engine, SelectStatement select, QueryOptions options) {
    return options.getPageSize() > 0
        && engine.config().unpageUpTo() > 1
        && select.getRestrictions().keyIsInRelation();
  }

  /**
   * Whether Manx removes the paging of a multiget; in shadow mode, whether it would. It implies
   * {@link #mayApply}.
   */
  static boolean applies(
      Engine engine, SelectStatement select, QueryOptions options, ClientState client, int keys) {
    return keys <= engine.config().unpageUpTo()
        && isSafe(select, options, keys)
        // If the operator limits page sizes, a result without pages would bypass the check.
        && !Plannable.arePagesLimited(client);
  }

  /**
   * What becomes of the paging of a statement.
   *
   * @param applies as {@link #applies} returned
   */
  static Asked.Paging paging(Engine engine, QueryOptions options, boolean applies) {
    if (!applies) {
      return Asked.Paging.KEPT;
    }
    return isHarmless(engine, options.getConsistency()) ? Asked.Paging.REMOVED : Asked.Paging.LEFT;
  }

  /**
   * Whether it delays no other node's clients. A node without Manx serves in order of arrival: its
   * own multigets, read one key after another, would wait behind many keys at once. A node in
   * shadow mode harms none, and shows the effect of all nodes having Manx.
   *
   * @param consistency determines whether reads go to other datacenters
   */
  private static boolean isHarmless(Engine engine, ConsistencyLevel consistency) {
    if (engine.signs().anyWithout(consistency.isDatacenterLocal())) {
      engine.counters().count(Counter.MULTIGETS_LEFT_PAGED);
      return !engine.acting();
    }
    return true;
  }

  /**
   * True only if the result provably fits one page (full primary key, keys <= page size, no paging
   * state) and stock would page it, and would not refuse to: up to a LIMIT of one page it reads all
   * keys at once by itself.
   */
  static boolean isSafe(SelectStatement select, QueryOptions options, int keys) {
    if (keys < 2
        || options.getPageSize() <= 0
        || options.getPagingState() != null
        || keys > options.getPageSize()
        || !select.parameters.orderings.isEmpty()
        || select.getAggregationSpec(options) != null
        || Plannable.isParallel(select, options)) {
      return false;
    }
    for (ColumnMetadata column : select.table.clusteringColumns()) {
      if (!select.getRestrictions().isColumnRestrictedByEq(column)) {
        return false;
      }
    }
    return true;
  }
}
