/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.DataLimits;

/**
 * The rows of a partition that a read requests. A read of a whole wide partition does not show the
 * size of its small slices, so sizes are learnt separately for each kind.
 */
enum SliceKind {
  /** The whole partition; for tables without clustering columns every read. */
  PARTITION,
  /** Rows named by their clustering. */
  ROWS,
  /** A range of rows. */
  SLICE,
  /** The first rows of the partition or of a range, up to a small limit. */
  HEAD;

  // This many rows or fewer are a head.
  private static final int HEAD_ROWS = 100;

  /** The kind of a read as received by a replica. */
  static SliceKind of(SinglePartitionReadCommand command) {
    if (command.metadata().clusteringColumns().isEmpty()) {
      return PARTITION;
    }
    ClusteringIndexFilter filter = command.clusteringIndexFilter();
    if (filter.kind() == ClusteringIndexFilter.Kind.NAMES) {
      return ROWS;
    }
    DataLimits limits = command.limits();
    return ofRange(filter.selectsAllPartition(), limits.count(), limits.perPartitionCount());
  }

  /**
   * The kind of the reads of a statement.
   *
   * @param paged whether Cassandra will page it
   * @throws RuntimeException if its limits cannot be evaluated
   */
  static SliceKind of(SelectStatement select, QueryOptions options, boolean paged) {
    if (select.table.clusteringColumns().isEmpty()) {
      return PARTITION;
    }
    boolean distinct = select.parameters.isDistinct;
    if (!distinct && !select.getRestrictions().isColumnRange()) {
      return ROWS;
    }
    int page = paged && options.getPageSize() > 0 ? options.getPageSize() : DataLimits.NO_LIMIT;
    return ofRange(
        distinct || !select.getRestrictions().hasClusteringColumnsRestrictions(),
        Math.min(page, select.getLimit(options)),
        distinct ? 1 : select.getPerPartitionLimit(options));
  }

  private static SliceKind ofRange(boolean all, int limit, int perPartitionLimit) {
    if (Math.min(limit, perPartitionLimit) <= HEAD_ROWS) {
      return HEAD;
    }
    return all ? PARTITION : SLICE;
  }
}
