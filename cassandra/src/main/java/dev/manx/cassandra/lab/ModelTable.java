/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import com.google.common.collect.ImmutableList;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;

/** {@code manx_lab.service_model}: the model's parameters (writable) and its sleep so far. */
final class ModelTable extends AbstractMutableVirtualTable {
  private static final AtomicBoolean registered = new AtomicBoolean();

  private ModelTable() {
    super(
        TableMetadata.builder("manx_lab", "service_model")
            .comment("model of slow storage (lab only)")
            .kind(TableMetadata.Kind.VIRTUAL)
            .partitioner(new LocalPartitioner(UTF8Type.instance))
            .addPartitionKeyColumn("name", UTF8Type.instance)
            .addRegularColumn("value", LongType.instance)
            .build());
  }

  static void registerOnce() {
    if (registered.compareAndSet(false, true)) {
      VirtualKeyspaceRegistry.instance.register(
          new VirtualKeyspace(
              "manx_lab", ImmutableList.of(new ModelTable(), new SpeculationTable())));
    }
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    new TreeMap<>(ServiceModel.INSTANCE.values())
        .forEach((name, value) -> rows.row(name).column("value", value));
    return rows;
  }

  @Override
  protected void applyColumnUpdate(
      ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
    String name = partitionKey.value(0);
    long value = column.map(ColumnValue::<Long>value).orElse(-1L);
    if (value < 0 || value > 60_000_000_000L) {
      throw new InvalidRequestException(name + ": expected nanoseconds from 0 to 60000000000");
    }
    ServiceModel model = ServiceModel.INSTANCE;
    switch (name) {
      case "base_nanos" -> model.set(value, model.perKibNanos());
      case "per_kib_nanos" -> model.set(model.baseNanos(), value);
      default ->
          throw new InvalidRequestException(
              name + ": only base_nanos and per_kib_nanos can be set");
    }
  }
}
