/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;

/** {@code manx.decision_log}: the file of the decision log, in parts of 64 KiB. */
final class DecisionLogTable extends AbstractVirtualTable {
  private static final String NAME = "decision_log";
  private static final String PART = "part";
  private static final String BY_PARTS =
      "manx.decision_log is read one part at a time: SELECT * FROM manx.decision_log WHERE part ="
          + " 0, and so on; ./manx ctl fetch-log and ./manx advise --on do that";

  private final Control control;

  DecisionLogTable(Control control) {
    super(
        TableMetadata.builder(ManxTables.KEYSPACE, NAME)
            .comment("the decision log's file, in parts of 64 KiB")
            .kind(TableMetadata.Kind.VIRTUAL)
            .partitioner(new LocalPartitioner(Int32Type.instance))
            .addPartitionKeyColumn(PART, Int32Type.instance)
            .addRegularColumn("bytes", BytesType.instance)
            .addRegularColumn("file_bytes", LongType.instance)
            .build());
    this.control = control;
  }

  /** All parts together could be a gibibyte. */
  @Override
  public DataSet data() {
    throw new InvalidRequestException(BY_PARTS);
  }

  /**
   * Refuses several parts in one request, which Cassandra would keep in its heap until the answer
   * is sent. The table itself is asked for single parts.
   */
  static void check(CQLStatement statement) {
    if (!(statement instanceof SelectStatement)) {
      return;
    }
    SelectStatement select = (SelectStatement) statement;
    if (select.table.isVirtual()
        && select.table.keyspace.equals(ManxTables.KEYSPACE)
        && select.table.name.equals(NAME)
        && select.getRestrictions().keyIsInRelation()) {
      throw new InvalidRequestException(BY_PARTS);
    }
  }

  @Override
  public DataSet data(DecoratedKey key) {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    ByteBuffer value = key.getKey();
    if (value.remaining() != Integer.BYTES) {
      return rows;
    }
    int part = Int32Type.instance.compose(value);
    try {
      control
          .recorded(part)
          .ifPresent(
              read ->
                  rows.row(part)
                      .column("bytes", read.bytes())
                      .column("file_bytes", read.fileBytes()));
    } catch (IllegalStateException e) {
      throw new InvalidRequestException(e.getMessage());
    }
    return rows;
  }
}
