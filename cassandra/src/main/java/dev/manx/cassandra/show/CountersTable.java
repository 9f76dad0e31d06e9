/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** {@code manx.counters}: all counters since the node started. */
final class CountersTable extends AbstractVirtualTable {
  private final Control control;

  CountersTable(Control control) {
    super(ManxTables.pairs("counters", "counted since the node started", LongType.instance));
    this.control = control;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    control.counters().forEach((name, value) -> rows.row(name).column("value", value));
    return rows;
  }
}
