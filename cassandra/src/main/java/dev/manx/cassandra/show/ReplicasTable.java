/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@code manx.replicas}: this coordinator's facts of each node; durations in microseconds, slowness
 * and the share of cores in thousandths.
 */
final class ReplicasTable extends AbstractVirtualTable {
  private static final Map<FactColumn, String> COLUMNS = new EnumMap<>(FactColumn.class);

  static {
    for (FactColumn column : FactColumn.values()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      COLUMNS.put(column, column.isDuration() ? name + "_us" : name);
    }
  }

  private final Control control;

  ReplicasTable(Control control) {
    super(metadata(control));
    this.control = control;
  }

  private static TableMetadata metadata(Control control) {
    TableMetadata.Builder table =
        ManxTables.table("replicas", "this coordinator's view of each node", "address")
            .addRegularColumn("node", Int32Type.instance)
            .addRegularColumn("outstanding_reads", Int32Type.instance)
            .addRegularColumn("outstanding_work_us", LongType.instance)
            .addRegularColumn("facts_age_ms", LongType.instance)
            .addRegularColumn("with_manx", BooleanType.instance)
            .addRegularColumn("without_manx", BooleanType.instance)
            .addRegularColumn("home_first", BooleanType.instance);
    COLUMNS.values().forEach(name -> table.addRegularColumn(name, LongType.instance));
    return table.build();
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    ClusterView view = control.state();
    long now = control.clock().nanoTime();
    control
        .nodes()
        .all()
        .forEach(
            (endpoint, node) -> {
              rows.row(endpoint.getHostAddressAndPort())
                  .column("node", node)
                  .column("with_manx", control.signs().isPeer(node, now))
                  .column("without_manx", control.signs().isWithout(node, now))
                  .column("home_first", control.home().isBetterThan(node))
                  .column("outstanding_reads", view.outstandingReads(node))
                  .column("outstanding_work_us", view.outstandingWorkNanos(node) / 1_000);
              long youngest = ClusterView.NEVER;
              for (Map.Entry<FactColumn, String> column : COLUMNS.entrySet()) {
                long age = view.ageNanos(column.getKey(), node, now);
                if (age != ClusterView.NEVER) {
                  long value = view.value(column.getKey(), node);
                  boolean duration = column.getKey().isDuration();
                  rows.column(column.getValue(), duration ? value / 1_000 : value);
                  // A price is this node's own value: its age does not show when the peer last
                  // reported.
                  youngest =
                      column.getKey() == FactColumn.HOP_PRICE ? youngest : Math.min(youngest, age);
                }
              }
              if (youngest != ClusterView.NEVER) {
                rows.column("facts_age_ms", youngest / 1_000_000);
              }
            });
    return rows;
  }
}
