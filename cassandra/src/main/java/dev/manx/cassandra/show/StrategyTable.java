/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import java.util.Optional;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;

/**
 * {@code manx.strategy}: the settings and state of Manx on this node. {@code UPDATE manx.strategy
 * SET value = 'shadow' WHERE name = 'mode'} switches the mode; likewise {@code 'document'} the
 * strategy, {@code 'record'} the decision log, {@code 'calm-after'} the time after which requests
 * are left to stock, {@code 'canary'} the requests that Manx acts on; {@code 'reload'} reloads the
 * configuration, {@code 'persisted'} persists switches.
 */
final class StrategyTable extends AbstractMutableVirtualTable {
  private final Control control;

  StrategyTable(Control control) {
    super(
        ManxTables.pairs(
            "strategy",
            "settings and state; mode, document, record, calm-after and canary can be set",
            UTF8Type.instance));
    this.control = control;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    control.status().forEach((name, value) -> rows.row(name).column("value", value));
    return rows;
  }

  @Override
  protected void applyColumnUpdate(
      ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
    String name = partitionKey.value(0);
    String value = column.map(ColumnValue::<String>value).orElse("");
    try {
      switch (name) {
        case "mode" ->
            control.mode(
                Mode.of(value)
                    .orElseThrow(
                        () ->
                            new InvalidRequestException(
                                "manx.strategy mode = '"
                                    + value
                                    + "' is invalid; allowed: "
                                    + Mode.labels())));
        case "document" -> control.document(value);
        case "record" -> control.record(value);
        case "calm-after" -> control.calmAfter(value);
        case "canary" -> control.canary(value);
        case "reload" -> control.reload(value);
        case "persisted" -> control.persist(value);
        default ->
            throw new InvalidRequestException(
                "manx.strategy "
                    + name
                    + " cannot be set; valid names: mode, document, record, calm-after, canary,"
                    + " reload, persisted");
      }
    } catch (ConfigException | IllegalStateException e) {
      throw new InvalidRequestException(e.getMessage());
    }
  }
}
