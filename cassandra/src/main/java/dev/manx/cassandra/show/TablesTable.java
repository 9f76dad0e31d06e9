/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/**
 * {@code manx.tables}: the tables whose multigets are read in parallel, and the time in
 * microseconds after which speculative retry sends their reads again.
 */
final class TablesTable extends AbstractVirtualTable {
  private final Control control;

  TablesTable(Control control) {
    super(
        ManxTables.table("tables", "tables with multigets read in parallel", "name")
            .addRegularColumn("reads", LongType.instance)
            .addRegularColumn("threshold_us", LongType.instance)
            .addRegularColumn("threshold_of_requests_us", LongType.instance)
            .build());
    this.control = control;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    control
        .tables()
        .forEach(
            (name, row) ->
                rows.row(name)
                    .column("reads", row.reads())
                    .column("threshold_us", row.thresholdMicros())
                    .column("threshold_of_requests_us", row.requestThresholdMicros()));
    return rows;
  }
}
