/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.selection.Selection;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.Columns;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The part of a partition that a read requests, as a number for {@link KeyHash}: its {@link
 * SliceKind} and its columns. A read of a user's name does not show the size of the photo. Columns
 * whose values are always small do not count, so a statement that omits only such columns counts as
 * requesting all columns. So does a statement of key columns alone, for which Cassandra sends all
 * columns. A coordinator derives the part from the statement, a replica from the command; both get
 * the same result, on every node.
 */
public final class ReadPart {
  /** A whole partition. */
  public static final long WHOLE = 0;

  // Values of a type with a fixed length up to this one are small; vectors are longer.
  private static final int SMALL_BYTES = 16;

  private ReadPart() {}

  /** The part that a read received by a replica requests. */
  public static long of(SinglePartitionReadCommand command) {
    return rows(SliceKind.of(command)) + columns(command.columnFilter(), command.metadata());
  }

  /**
   * The part that the reads of a statement request.
   *
   * @param paged whether Cassandra will page it
   * @throws RuntimeException if its terms cannot be evaluated
   */
  public static long of(SelectStatement select, QueryOptions options, boolean paged) {
    Selection selection = select.getSelection();
    long columns =
        selection.isWildcard()
            ? WHOLE
            : columns(selection.newSelectors(options).getColumnFilter(), select.table);
    return rows(SliceKind.of(select, options, paged)) + columns;
  }

  /**
   * The part that a write describes: its rows, if there are any, rather than their partition, with
   * all columns.
   */
  public static long ofWrite(TableMetadata table) {
    return table.clusteringColumns().isEmpty() ? WHOLE : rows(SliceKind.ROWS);
  }

  /**
   * Number of the columns whose values are not always small, so that they count for the size of a
   * row.
   */
  static int counted(Columns columns) {
    int counted = 0;
    for (int i = 0, n = columns.simpleColumnCount(); i < n; i++) {
      counted += isSmall(columns.getSimple(i)) ? 0 : 1;
    }
    return counted + columns.complexColumnCount();
  }

  private static long rows(SliceKind kind) {
    return KeyHash.MIX * kind.ordinal();
  }

  private static long columns(ColumnFilter filter, TableMetadata table) {
    if (filter.isWildcard()) {
      return WHOLE;
    }
    RegularAndStaticColumns queried = filter.queriedColumns();
    RegularAndStaticColumns all = table.regularAndStaticColumns();
    if (queried.size() >= all.size()) {
      return WHOLE;
    }
    long names = names(queried);
    return names == names(all) ? WHOLE : KeyHash.mix(names + KeyHash.MIX);
  }

  private static long names(RegularAndStaticColumns columns) {
    return names(columns.statics) + names(columns.regulars);
  }

  /** The sum of the names' hashes; not by iterators, which a read would have to create. */
  private static long names(Columns columns) {
    long sum = 0;
    for (int i = 0, n = columns.simpleColumnCount(); i < n; i++) {
      sum += name(columns.getSimple(i));
    }
    for (int i = 0, n = columns.complexColumnCount(); i < n; i++) {
      sum += name(columns.getComplex(i));
    }
    return sum;
  }

  private static long name(ColumnMetadata column) {
    // A string's hash is the same in every JVM, and the string keeps it.
    return isSmall(column) ? 0 : KeyHash.mix(column.name.toString().hashCode() + KeyHash.MIX);
  }

  /** Whether all values of a column are small. */
  static boolean isSmall(ColumnMetadata column) {
    int length = column.type.valueLengthIfFixed();
    return length >= 0 && length <= SMALL_BYTES;
  }
}
