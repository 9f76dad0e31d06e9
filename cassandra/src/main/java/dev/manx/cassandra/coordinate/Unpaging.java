/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;

/**
 * Whether a multiget may be read without paging. With a page size set, Cassandra reads the partitions
 * of an {@code IN} list one after another through a pager, even when the whole result fits one page;
 * without one it reads them in parallel.
 */
final class Unpaging {
  private Unpaging() {}

  /** True only if the result provably fits one page: full primary key, keys <= page size, no paging state. */
  static boolean isSafe(SelectStatement select, QueryOptions options, int keys) {
    if (keys < 2
        || options.getPageSize() <= 0
        || options.getPagingState() != null
        || keys > options.getPageSize()
        || select.getAggregationSpec(options) != null) {
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
