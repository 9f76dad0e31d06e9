/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import com.codahale.metrics.Snapshot;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@code manx_lab.speculation}: the basis of this coordinator's speculative retries, by table.
 *
 * <p>A threshold such as {@code 99p} is a percentile of latencies that Cassandra forgets with a
 * half-life of a minute, so the reads of one arm would determine how soon the next arm retries.
 * Setting {@code latencies_of} stores the latencies under the previous name and restores those of
 * the new one. A new name begins without latencies, with the threshold of a node that has just
 * started.
 */
final class SpeculationTable extends AbstractMutableVirtualTable {
  private static final String NAME = "latencies_of";
  private static final int MOST = 2_000;

  private final Map<TableId, Latencies> stored = new ConcurrentHashMap<>();

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
            .addRegularColumn(NAME, UTF8Type.instance)
            .addRegularColumn("threshold_us", LongType.instance)
            .build());
  }

  /** Samples of one table's latencies, by name. */
  private static final class Latencies {
    private final Map<String, long[]> samples = new HashMap<>();
    private volatile String name = "";
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      Latencies of = stored.get(table.metadata().id);
      rows.row(table.keyspace.getName(), table.name)
          .column("latencies", (long) snapshot(table).size())
          .column(NAME, of == null ? "" : of.name)
          .column("threshold_us", table.sampleReadLatencyMicros);
    }
    return rows;
  }

  @Override
  protected void applyColumnUpdate(
      ColumnValues partitionKey, ColumnValues clusteringColumns, Optional<ColumnValue> column) {
    String keyspace = partitionKey.value(0);
    String name = partitionKey.value(1);
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(keyspace, name);
    if (table == null) {
      throw new InvalidRequestException(keyspace + "." + name + " does not exist");
    }
    if (column.isEmpty() || !column.get().name().equals(NAME)) {
      throw new InvalidRequestException("only " + NAME + " can be set");
    }
    Latencies latencies = stored.computeIfAbsent(table.metadata().id, id -> new Latencies());
    synchronized (latencies) {
      exchange(table, latencies, column.get().value());
    }
  }

  private static void exchange(ColumnFamilyStore table, Latencies latencies, String name) {
    if (name.equals(latencies.name)) {
      return;
    }
    DecayingEstimatedHistogramReservoir reservoir = reservoir(table);
    latencies.samples.put(latencies.name, sample(snapshot(table)));
    latencies.name = name;
    long[] sample = latencies.samples.getOrDefault(name, new long[0]);
    reservoir.clear();
    for (long micros : sample) {
      reservoir.update(micros);
    }
    if (sample.length == 0) {
      table.sampleReadLatencyMicros =
          DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MICROSECONDS) / 2;
    } else {
      table.updateSpeculationThreshold();
    }
  }

  /** Evenly spaced quantiles; not more, so that an arm's early turns fade like latencies do. */
  private static long[] sample(Snapshot snapshot) {
    long[] sample = new long[Math.min(MOST, snapshot.size())];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = Math.round(snapshot.getValue((i + 0.5) / sample.length));
    }
    return sample;
  }

  private static Snapshot snapshot(ColumnFamilyStore table) {
    return table.metric.coordinatorReadLatency.getPercentileSnapshot();
  }

  private static DecayingEstimatedHistogramReservoir reservoir(ColumnFamilyStore table) {
    Object inner = field(table.metric.coordinatorReadLatency, "reservoir");
    // Latencies are counted in a unit other than the timer's.
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
      throw new InvalidRequestException("this Cassandra keeps latencies in another form: " + e);
    }
  }
}
