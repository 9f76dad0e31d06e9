/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;

/**
 * How many partition keys a SELECT names at most, without building them. {@code IN} on several
 * columns of a composite key names their product, which a few kilobytes of a statement may make
 * millions.
 */
final class KeyCount {
  /** As many as terms are written in one list of the statement's text. */
  static final int AS_WRITTEN = -1;

  // How a marker `IN ?` is named that has no name of its own.
  private static final String LIST = "in(";

  private KeyCount() {}

  /**
   * Counts.
   *
   * @param options prepared, with a value for each marker
   * @return the most; {@link #AS_WRITTEN}; {@code Integer.MAX_VALUE} if it may be any number
   */
  static int atMost(SelectStatement select, QueryOptions options) {
    if (!select.getRestrictions().keyIsInRelation()) {
      return 1;
    }
    List<ColumnMetadata> columns = select.table.partitionKeyColumns();
    long product = 1;
    int lists = 0;
    int written = 0;
    for (int i = 0; i < columns.size(); i++) {
      int bound = bound(select, options, columns.get(i));
      if (bound >= 0) {
        lists++;
        product = Math.min(Integer.MAX_VALUE, product * bound);
      } else if (columns.size() == 1
          || !select.getRestrictions().isColumnRestrictedByEq(columns.get(i))) {
        written++;
      }
    }
    if (written == 0) {
      return (int) product;
    }
    return lists + written == 1 ? AS_WRITTEN : Integer.MAX_VALUE;
  }

  /** The elements of the list that is bound to {@code IN ?} of a column; -1 if there is none. */
  private static int bound(SelectStatement select, QueryOptions options, ColumnMetadata column) {
    int marker = marker(select, column);
    return marker < 0 ? -1 : elements(options.getValues().get(marker));
  }

  /** The place of the marker {@code IN ?} of a column among all markers; -1 if there is none. */
  static int marker(SelectStatement select, ColumnMetadata column) {
    List<ColumnSpecification> markers = select.getBindVariables();
    for (int i = 0; i < markers.size(); i++) {
      if (isList(markers.get(i).name.toString(), column.name.toString())) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isList(String marker, String column) {
    return marker.length() == LIST.length() + column.length() + 1
        && marker.startsWith(LIST)
        && marker.startsWith(column, LIST.length());
  }

  // A number of elements, then a length and bytes of each; -1 for what no list looks like.
  static int elements(ByteBuffer list) {
    if (list == null || list.remaining() < Integer.BYTES) {
      return -1;
    }
    int count = list.getInt(list.position());
    return count <= list.remaining() / Integer.BYTES ? count : -1;
  }
}
