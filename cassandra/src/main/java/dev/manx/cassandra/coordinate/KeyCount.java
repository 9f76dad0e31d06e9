/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;

/**
 * Computes the most partition keys that a SELECT may name, without building them. {@code IN} on
 * several columns of a composite key names their product, which may be millions of keys for a
 * statement of a few kilobytes.
 */
final class KeyCount {
  /** As many as the values of one list, which has to be evaluated to count them. */
  static final int UNKNOWN = -1;

  private KeyCount() {}

  /**
   * Computes the bound.
   *
   * @param options prepared, with a value for each marker
   * @return the most; {@link #UNKNOWN}; {@code Integer.MAX_VALUE} if it is unbounded
   */
  static int atMost(SelectStatement select, QueryOptions options) {
    if (!select.getRestrictions().keyIsInRelation()) {
      return 1;
    }
    int[] markers = KeyMarkers.of(select);
    if (markers == null) {
      return Integer.MAX_VALUE;
    }
    if (markers.length == 0) {
      return written(select);
    }
    long product = 1;
    boolean empty = false;
    for (int marker : markers) {
      int elements = elements(options.getValues().get(marker));
      if (elements < 0) {
        return written(select);
      }
      empty |= elements == 0;
      // Cassandra builds the product of the lists before an empty one.
      product = Math.min(Integer.MAX_VALUE, product * Math.max(1, elements));
    }
    return empty && product == 1 ? 0 : (int) product;
  }

  /** A single list has the length of its text; lists of several columns multiply. */
  private static int written(SelectStatement select) {
    return select.table.partitionKeyColumns().size() == 1 || lists(select) == 1
        ? KeyMarkers.written(select)
        : Integer.MAX_VALUE;
  }

  /** Number of columns of the partition key that are not restricted to one value. */
  private static int lists(SelectStatement select) {
    List<ColumnMetadata> columns = select.table.partitionKeyColumns();
    int lists = 0;
    for (int i = 0; i < columns.size(); i++) {
      lists += select.getRestrictions().isColumnRestrictedByEq(columns.get(i)) ? 0 : 1;
    }
    return lists;
  }

  /** Whether a SELECT names the product of several lists. */
  static boolean isProduct(SelectStatement select) {
    return select.table.partitionKeyColumns().size() > 1
        && select.getRestrictions().keyIsInRelation()
        && lists(select) > 1;
  }

  // A number of elements, then length and bytes of each; -1 for anything else.
  static int elements(ByteBuffer list) {
    if (list == null || list.remaining() < Integer.BYTES) {
      return -1;
    }
    int count = list.getInt(list.position());
    return count <= list.remaining() / Integer.BYTES ? count : -1;
  }
}
