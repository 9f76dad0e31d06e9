/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.ClientState;

/**
 * The markers {@code IN ?} that give a SELECT its partition keys.
 *
 * <p>A marker's name proves nothing: a client may name any marker as Cassandra names these. So
 * Cassandra is asked, once for each prepared statement: with one element in each list the statement
 * has a key, and with no element in one of them it has none. Only a list of keys does that.
 */
final class KeyMarkers {
  // A power of two. Two statements that share a place are asked about in turn, some microseconds.
  static final int MOST_STATEMENTS = 4_096;

  private static final int[] NONE = {};
  private static final ByteBuffer EMPTY_LIST = ByteBuffer.allocate(Integer.BYTES);

  private static final AtomicReferenceArray<Known> KNOWN =
      new AtomicReferenceArray<>(MOST_STATEMENTS);

  private KeyMarkers() {}

  /** What was found out about a statement, as long as Cassandra keeps it. */
  private static final class Known extends WeakReference<SelectStatement> {
    private final int[] markers;

    Known(SelectStatement select, int[] markers) {
      super(select);
      this.markers = markers;
    }
  }

  /**
   * The places of these markers among all markers, one for each column of the partition key that is
   * not restricted to one value. The array is shared.
   *
   * @param prepared whether the statement comes again as the same object; of another it takes as
   *     long to find out as to evaluate its keys
   * @param options prepared, with a value for each marker
   * @param lists how many columns are not restricted to one value
   * @return empty if any of them has its keys from elsewhere, or if that is not known
   */
  static int[] of(SelectStatement select, QueryOptions options, boolean prepared, int lists) {
    if (!prepared || select.getBindVariables().size() < lists) {
      return NONE;
    }
    int place = System.identityHashCode(select) & MOST_STATEMENTS - 1;
    Known known = KNOWN.get(place);
    if (known != null && known.get() == select) {
      return known.markers;
    }
    int[] markers = find(select, options, lists);
    if (markers == null) {
      return NONE;
    }
    KNOWN.set(place, new Known(select, markers));
    return markers;
  }

  /** Null if the values of this request do not serve to find out. */
  private static int[] find(SelectStatement select, QueryOptions options, int lists) {
    List<Function> functions = new ArrayList<>();
    select.getRestrictions().addFunctionsTo(functions);
    if (!functions.isEmpty()) {
      return NONE;
    }
    int[] candidates = candidates(select);
    if (candidates.length < lists) {
      return NONE;
    }
    List<ByteBuffer> values = new ArrayList<>(options.getValues());
    for (int marker : candidates) {
      ByteBuffer first = first(values.get(marker));
      if (first == null) {
        return null;
      }
      values.set(marker, first);
    }
    try {
      int[] proven = proven(select, options, values, candidates);
      return proven.length == lists ? proven : NONE;
    } catch (RuntimeException e) {
      // Other values may do. But the products of what is written in a statement, with lists that
      // are not its keys, are not to be built with each request.
      return lists == 1 ? null : NONE;
    }
  }

  /** The markers that take a list of values of a key's column. */
  private static int[] candidates(SelectStatement select) {
    List<ColumnSpecification> markers = select.getBindVariables();
    int[] candidates = new int[markers.size()];
    int count = 0;
    for (int i = 0; i < candidates.length; i++) {
      if (isListOfKeys(select, markers.get(i).type)) {
        candidates[count++] = i;
      }
    }
    return Arrays.copyOf(candidates, count);
  }

  private static boolean isListOfKeys(SelectStatement select, AbstractType<?> type) {
    if (type instanceof ListType) {
      for (ColumnMetadata column : select.table.partitionKeyColumns()) {
        if (((ListType<?>) type).getElementsType().equals(column.type)) {
          return true;
        }
      }
    }
    return false;
  }

  private static int[] proven(
      SelectStatement select, QueryOptions options, List<ByteBuffer> values, int[] candidates) {
    if (!hasKeys(select, options, values)) {
      return NONE;
    }
    int[] proven = new int[candidates.length];
    int count = 0;
    for (int marker : candidates) {
      ByteBuffer one = values.set(marker, EMPTY_LIST.duplicate());
      if (!hasKeys(select, options, values)) {
        proven[count++] = marker;
      }
      values.set(marker, one);
    }
    return Arrays.copyOf(proven, count);
  }

  private static boolean hasKeys(
      SelectStatement select, QueryOptions options, List<ByteBuffer> values) {
    QueryOptions asked = QueryOptions.forInternalCalls(options.getConsistency(), values);
    return !select
        .getRestrictions()
        .getPartitionKeys(asked, ClientState.forInternalCalls())
        .isEmpty();
  }

  /** The list with its first element only; null if it has none. */
  private static ByteBuffer first(ByteBuffer list) {
    if (KeyCount.elements(list) < 1) {
      return null;
    }
    int length = list.getInt(list.position() + Integer.BYTES);
    int end = 2 * Integer.BYTES + Math.max(0, length);
    if (end < 0 || end > list.remaining()) {
      return null;
    }
    ByteBuffer first = ByteBuffer.allocate(end);
    first.put(list.slice(list.position(), end)).flip();
    return first.putInt(0, 1);
  }
}
