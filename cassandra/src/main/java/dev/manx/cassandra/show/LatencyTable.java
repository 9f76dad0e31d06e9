/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.boot.Control;
import dev.manx.cassandra.metrics.Quantiles;
import dev.manx.cassandra.metrics.RequestLatency;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@code manx.latency}: the latency of requests that Manx acted on, next to that of requests left
 * to stock, in microseconds. The buckets allow summing over nodes.
 */
final class LatencyTable extends AbstractVirtualTable {
  private static final String[] GROUPS = {"acted", "control"};
  private static final String[] NUMBERS = {
    "count", "p50_us", "p95_us", "p99_us", "p99_low_us", "p99_high_us"
  };
  private static final String BUCKETS = "_buckets";
  private static final String TIMED_OUT = "_timed_out";
  private static final String FAILED = "_failed";

  private final Control control;

  LatencyTable(Control control) {
    super(shape());
    this.control = control;
  }

  private static TableMetadata shape() {
    TableMetadata.Builder table =
        ManxTables.table("latency", "requests with Manx and without", "name")
            .addClusteringColumn("from_keys", Int32Type.instance)
            .addClusteringColumn("pressure", UTF8Type.instance)
            .addRegularColumn("keys", UTF8Type.instance);
    for (String group : GROUPS) {
      for (String number : NUMBERS) {
        table.addRegularColumn(group + "_" + number, LongType.instance);
      }
      table.addRegularColumn(group + TIMED_OUT, LongType.instance);
      table.addRegularColumn(group + FAILED, LongType.instance);
      table.addRegularColumn(
          group + BUCKETS, MapType.getInstance(LongType.instance, LongType.instance, false));
    }
    return table.build();
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (RequestLatency.Row row : control.latency()) {
      rows.row(row.table(), row.width().from(), row.pressure().label())
          .column("keys", row.width().label());
      columns(rows, GROUPS[0], row.acted(), row.actedFailures());
      columns(rows, GROUPS[1], row.control(), row.controlFailures());
    }
    return rows;
  }

  private static void columns(
      SimpleDataSet rows, String group, Quantiles quantiles, RequestLatency.Failures failures) {
    long[] values = {
      quantiles.count(),
      quantiles.p50(),
      quantiles.p95(),
      quantiles.p99(),
      quantiles.p99Low(),
      quantiles.p99High()
    };
    // Without requests there are no quantiles to show.
    int shown = quantiles.count() == 0 ? 1 : values.length;
    for (int i = 0; i < shown; i++) {
      rows.column(group + "_" + NUMBERS[i], values[i]);
    }
    rows.column(group + TIMED_OUT, failures.timedOut());
    rows.column(group + FAILED, failures.others());
    rows.column(group + BUCKETS, quantiles.buckets());
  }
}
