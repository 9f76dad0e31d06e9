/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** {@code manx.hooks}: each hook's state (stock, installed, failed) and detail. */
final class HooksTable extends AbstractVirtualTable {
  private final Control control;

  HooksTable(Control control) {
    super(
        ManxTables.table("hooks", "the hooks of Manx and their state", "name")
            .addRegularColumn("state", UTF8Type.instance)
            .addRegularColumn("detail", UTF8Type.instance)
            .build());
    this.control = control;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    control
        .hooks()
        .forEach(
            (name, entry) ->
                rows.row(name).column("state", entry.getKey()).column("detail", entry.getValue()));
    return rows;
  }
}
