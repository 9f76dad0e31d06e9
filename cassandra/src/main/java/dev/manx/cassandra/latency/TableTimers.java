/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.SnapshottingTimer;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;

/**
 * Puts a {@link TableTimer} in front of the timer of each table of which a multiget is read without
 * its paging, and takes all out again. Any thread.
 */
/*
 * The field is final, and Cassandra reads it anew for each request. Nothing public serves: the threshold
 * itself could be set from outside, but Cassandra computes it anew every few seconds from the same timer,
 * which operators look at too, and what was entered there stays in it for minutes after Manx has left.
 */
public final class TableTimers {
  private final Supplier<ReadTimes> current;
  private final Consumer<Throwable> faults;
  private final ConcurrentHashMap<TableId, Installed> installed = new ConcurrentHashMap<>();
  private volatile MethodHandle setter;

  private record Installed(ColumnFamilyStore store, TableTimer timer) {}

  /**
   * A table's timer, for people.
   *
   * @param reads reads entered with a time of their own
   * @param thresholdMicros after which a read is sent to another replica
   * @param requestThresholdMicros the same if each read had been given its request's time
   */
  public record Row(long reads, long thresholdMicros, long requestThresholdMicros) {}

  /**
   * @param current the times of the multiget that the calling thread has taken the paging off; null
   *     if it has not
   * @param faults gets what fails; the table's timer then has Cassandra's own number
   */
  public TableTimers(Supplier<ReadTimes> current, Consumer<Throwable> faults) {
    this.current = current;
    this.faults = faults;
  }

  /**
   * From now on {@link #inFrontOf} has an effect.
   *
   * @throws ReflectiveOperationException if this Cassandra keeps the timer elsewhere
   */
  public synchronized void install() throws ReflectiveOperationException {
    Field field = TableMetrics.class.getField("coordinatorReadLatency");
    if (field.getType() != SnapshottingTimer.class) {
      throw new NoSuchFieldException(field + " is a " + field.getType().getName());
    }
    field.setAccessible(true);
    setter =
        MethodHandles.lookup()
            .unreflectSetter(field)
            .asType(MethodType.methodType(void.class, TableMetrics.class, SnapshottingTimer.class));
  }

  /** Gives every table its own timer back. */
  public synchronized void remove() {
    installed.values().forEach(each -> set(each.store, each.timer.stock()));
    installed.clear();
    setter = null;
  }

  /**
   * A multiget of the table is about to be read without its paging.
   *
   * @return whether its reads can be timed; if not, the multiget must keep its paging, or its
   *     slowest read would count for each of its keys
   */
  public boolean inFrontOf(TableId table) {
    if (setter != null && !installed.containsKey(table)) {
      add(table);
    }
    return installed.containsKey(table);
  }

  /** Forgets the tables that were dropped. */
  public void sweep(Predicate<TableId> exists) {
    installed.keySet().removeIf(exists.negate());
  }

  private synchronized void add(TableId table) {
    ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(table);
    if (setter == null || store == null || installed.containsKey(table)) {
      return;
    }
    TableTimer timer = new TableTimer(store.metric.coordinatorReadLatency, current, faults);
    set(store, timer);
    installed.put(table, new Installed(store, timer));
  }

  private void set(ColumnFamilyStore store, SnapshottingTimer timer) {
    try {
      setter.invokeExact(store.metric, timer);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The tables with a timer of Manx's, by name. */
  public Map<String, Row> rows() {
    Map<String, Row> rows = new TreeMap<>();
    installed
        .values()
        .forEach(
            each -> {
              ColumnFamilyStore store = each.store;
              long inUse = store.sampleReadLatencyMicros;
              rows.put(
                  store.metadata().keyspace + "." + store.metadata().name,
                  new Row(
                      each.timer.reads(),
                      inUse,
                      store
                          .metadata()
                          .params
                          .speculativeRetry
                          .calculateThreshold(each.timer.requests(), inUse)));
            });
    return rows;
  }
}
