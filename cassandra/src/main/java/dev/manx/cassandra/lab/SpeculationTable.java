/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.metrics.DecayingEstimatedHistogramReservoir;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@code manx_lab.speculation}: the basis of this coordinator's speculative retries, by table.
 *
 * <p>A threshold such as {@code 99p} is a percentile of latencies that Cassandra forgets with a
 * half-life of a minute. Without a reset, the reads of one arm therefore determine how soon the
 * next arm retries. {@code TRUNCATE} forgets them and restores the threshold of a node that has
 * just started; deleting a table's {@code threshold_us} computes it from the latencies since then,
 * as Cassandra itself does every few seconds.
 */
final class SpeculationTable extends AbstractMutableVirtualTable {
  private static final String THRESHOLD = "threshold_us";

  SpeculationTable() {
    super(
        TableMetadata.builder("manx_lab", "speculation")
            .comment("latencies and thresholds of speculative retries (lab only)")
            .kind(TableMetadata.Kind.VIRTUAL)
            .partitioner(
                new LocalPartitioner(
                    CompositeType.getInstance(UTF8Type.instance, UTF8Type.instance)))
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addPartitionKeyColumn("table_name", UTF8Type.instance)
            .addRegularColumn("latencies", LongType.instance)
            .addRegularColumn(THRESHOLD, LongType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      rows.row(table.keyspace.getName(), table.name)
          .column(
              "latencies",
              (long) table.metric.coordinatorReadLatency.getPercentileSnapshot().size())
          .column(THRESHOLD, table.sampleReadLatencyMicros);
    }
    return rows;
  }

  @Override
  public void truncate() {
    long started = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MICROSECONDS) / 2;
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      reservoir(table).clear();
      table.sampleReadLatencyMicros = started;
    }
  }

  @Override
  protected void applyColumnDeletion(
      ColumnValues partitionKey, ColumnValues clusteringColumns, String columnName) {
    String keyspace = partitionKey.value(0);
    String name = partitionKey.value(1);
    if (!columnName.equals(THRESHOLD)) {
      throw new InvalidRequestException("only " + THRESHOLD + " can be deleted");
    }
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(keyspace, name);
    if (table == null) {
      throw new InvalidRequestException(keyspace + "." + name + " does not exist");
    }
    table.updateSpeculationThreshold();
  }

  private static DecayingEstimatedHistogramReservoir reservoir(ColumnFamilyStore table) {
    Object inner = field(table.metric.coordinatorReadLatency, "reservoir");
    // Latencies are counted in another unit than that of the timer.
    while (!(inner instanceof DecayingEstimatedHistogramReservoir)) {
      inner = field(inner, "delegate");
    }
    return (DecayingEstimatedHistogramReservoir) inner;
  }

  private static Object field(Object owner, String name) {
    try {
      Field field = owner.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    } catch (ReflectiveOperationException e) {
      throw new InvalidRequestException("this Cassandra keeps latencies otherwise: " + e);
    }
  }
}
