/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.schema.ColumnMetadata;

/**
 * The partition keys of {@code k IN ?}, copied from the bound list without evaluation. Cassandra's
 * evaluation, which follows in a moment anyway, deserializes and serializes each element and sorts
 * the keys in a tree.
 */
final class BoundKeys {
  // Elements of these types are the bytes of their keys.
  private static final Set<AbstractType<?>> PLAIN =
      Set.of(
          Int32Type.instance,
          LongType.instance,
          UTF8Type.instance,
          AsciiType.instance,
          BytesType.instance,
          UUIDType.instance,
          TimeUUIDType.instance,
          TimestampType.instance);

  private BoundKeys() {}

  /**
   * The keys as Cassandra would evaluate them: without duplicates, in the order of their type.
   *
   * @return null for statements of another form, and for a possibly invalid list
   * @throws RuntimeException if an element is not a value of its type
   */
  static List<ByteBuffer> of(SelectStatement select, QueryOptions options) {
    List<ColumnMetadata> columns = select.table.partitionKeyColumns();
    ColumnMetadata column = columns.get(0);
    if (columns.size() > 1
        || !PLAIN.contains(column.type)
        || !select.getRestrictions().keyIsInRelation()) {
      return null;
    }
    int[] markers = KeyMarkers.of(select);
    return markers != null && markers.length == 1
        ? elements(options.getValues().get(markers[0]), column.type)
        : null;
  }

  private static List<ByteBuffer> elements(ByteBuffer list, AbstractType<?> type) {
    int count = KeyCount.elements(list);
    if (count < 0) {
      return null;
    }
    List<ByteBuffer> keys = new ArrayList<>(count);
    int at = list.position() + Integer.BYTES;
    for (int i = 0; i < count; i++) {
      int length = list.limit() - at < Integer.BYTES ? -1 : list.getInt(at);
      at += Integer.BYTES;
      // Cassandra has specific errors for nulls, empty keys and keys that are too long.
      if (length <= 0 || length > Short.MAX_VALUE || length > list.limit() - at) {
        return null;
      }
      byte[] key = new byte[length];
      list.get(at, key);
      at += length;
      keys.add(ByteBuffer.wrap(key));
      type.validate(keys.get(i));
    }
    return at == list.limit() ? sorted(keys, type) : null;
  }

  private static List<ByteBuffer> sorted(List<ByteBuffer> keys, AbstractType<?> type) {
    boolean ascends = true;
    for (int i = 1; i < keys.size() && ascends; i++) {
      ascends = type.compare(keys.get(i - 1), keys.get(i)) < 0;
    }
    if (ascends) {
      return keys;
    }
    keys.sort(type);
    List<ByteBuffer> once = new ArrayList<>(keys.size());
    for (ByteBuffer key : keys) {
      if (once.isEmpty() || type.compare(once.get(once.size() - 1), key) != 0) {
        once.add(key);
      }
    }
    return once;
  }
}
