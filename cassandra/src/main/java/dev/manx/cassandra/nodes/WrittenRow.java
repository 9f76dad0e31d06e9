/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Decides whether the size of a write shows the size of later reads of its row. A delete leaves
 * nothing to read, and a small write of some columns does not show the size of the others: a stream
 * of either would make all keys look small. A large write is enough to make the row large. All
 * other writes must leave a value and replace all columns that count, as in {@link ReadPart}.
 */
public final class WrittenRow {
  private WrittenRow() {}

  /**
   * Whether the size oracle may learn from the rows of a partition that a mutation writes.
   *
   * @param bytes the size of one of them
   * @param largeAboveBytes rows of at least this size are large
   */
  public static boolean teaches(PartitionUpdate update, long bytes, long largeAboveBytes) {
    // First, because it takes long to examine the rows of a large write.
    return bytes >= largeAboveBytes || teaches(update);
  }

  private static boolean teaches(PartitionUpdate update) {
    boolean live = isLive(update.staticRow());
    int replaced = replaced(update.staticRow());
    for (Row row : update) {
      live |= isLive(row);
      replaced += replaced(row);
    }
    RegularAndStaticColumns all = update.metadata().regularAndStaticColumns();
    int rows = Math.max(1, update.rowCount());
    return live
        && replaced >= rows * ReadPart.counted(all.regulars) + ReadPart.counted(all.statics);
  }

  /**
   * The same for the row that a statement writes. Only columns with a bound value are recognized;
   * whether one for a collection replaces or extends it is unknown.
   *
   * @param markers of the statement
   * @param values bound to them
   */
  public static boolean teaches(
      TableMetadata table,
      List<ColumnSpecification> markers,
      List<ByteBuffer> values,
      long bytes,
      long largeAboveBytes) {
    return bytes >= largeAboveBytes || teaches(table, markers, values);
  }

  private static boolean teaches(
      TableMetadata table, List<ColumnSpecification> markers, List<ByteBuffer> values) {
    boolean live = false;
    int replaced = 0;
    for (int i = 0; i < values.size(); i++) {
      ColumnMetadata column = table.getColumn(markers.get(i).name);
      ByteBuffer value = values.get(i);
      if (column == null
          || column.isPrimaryKeyColumn()
          || value == ByteBufferUtil.UNSET_BYTE_BUFFER) {
        continue;
      }
      live |= value != null;
      replaced += column.isComplex() || ReadPart.isSmall(column) ? 0 : 1;
    }
    RegularAndStaticColumns all = table.regularAndStaticColumns();
    return live && replaced >= ReadPart.counted(all.regulars) + ReadPart.counted(all.statics);
  }

  private static boolean isLive(Row row) {
    if (!row.primaryKeyLivenessInfo().isEmpty()) {
      return true;
    }
    for (Cell<?> cell : row.cells()) {
      if (!cell.isTombstone()) {
        return true;
      }
    }
    return false;
  }

  /** Number of the columns that count whose earlier values a row replaces. */
  private static int replaced(Row row) {
    int replaced = 0;
    for (ColumnData data : row) {
      boolean extendsCollection =
          data instanceof ComplexColumnData
              && ((ComplexColumnData) data).complexDeletion().isLive();
      replaced += extendsCollection || ReadPart.isSmall(data.column()) ? 0 : 1;
    }
    return replaced;
  }
}
