/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.SnapshottingTimer;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a {@link TableTimer} in front of the timer of each table with multigets read without paging,
 * and removes all of them again. Any thread.
 */
/*
 * The field is final, and Cassandra reads it anew for each request. No public method is sufficient:
 * the threshold itself could be set from outside, but Cassandra recomputes it every few seconds
 * from the same timer, which operators also watch, and values recorded there stay in it for minutes
 * after Manx has left.
 */
public final class TableTimers {
  private static final Logger logger = LoggerFactory.getLogger(TableTimers.class);

  /** Most tables with a timer; multigets on further tables keep their paging. */
  public static final int MOST = 256;

  private final Supplier<ReadTimes> current;
  private final Consumer<Throwable> faults;
  private final Function<TableId, Installed> places;
  private final Function<TableId, ?> stores;
  private final AtomicBoolean fullLogged = new AtomicBoolean();
  private final ConcurrentHashMap<TableId, Installed> installed = new ConcurrentHashMap<>();
  private volatile MethodHandle setter;

  /**
   * A timer of Manx's in its place in a table.
   *
   * @param store the table's {@link ColumnFamilyStore}; another object in tests
   */
  record Installed(Object store, TableTimer timer) {
    ColumnFamilyStore table() {
      return (ColumnFamilyStore) store;
    }
  }

  /**
   * A table's timer, for operators.
   *
   * @param reads number of reads recorded with their own times
   * @param thresholdMicros time after which a read is sent to another replica
   * @param requestThresholdMicros the threshold if each read had been recorded with its request's
   *     time
   */
  public record Row(long reads, long thresholdMicros, long requestThresholdMicros) {}

  /**
   * @param current the times of the multiget whose paging the calling thread has removed; null for
   *     none
   * @param faults gets failures; the table's timer then has Cassandra's own number
   */
  public TableTimers(Supplier<ReadTimes> current, Consumer<Throwable> faults) {
    this.current = current;
    this.faults = faults;
    this.places = this::place;
    this.stores = Schema.instance::getColumnFamilyStoreInstance;
  }

  /**
   * @param places puts a timer into a table; null if there is no such table
   * @param stores the present store of a table; null if there is no such table
   */
  TableTimers(Function<TableId, Installed> places, Function<TableId, ?> stores) {
    this.current = () -> null;
    this.faults = t -> {};
    this.places = places;
    this.stores = stores;
  }

  /**
   * Enables {@link #inFrontOf}.
   *
   * @throws ReflectiveOperationException if this Cassandra stores the timer elsewhere
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

  /** Restores every table's own timer. */
  public synchronized void remove() {
    installed.values().forEach(each -> set(each.table(), each.timer.stock()));
    installed.clear();
    setter = null;
  }

  /**
   * Called before a multiget of the table is read without its paging.
   *
   * @return whether its reads can be timed; if not, the multiget must keep its paging, since its
   *     slowest read would otherwise count for each of its keys
   */
  public boolean inFrontOf(TableId table) {
    if (installed.containsKey(table)) {
      return true;
    }
    // Before the lock: at the bound, each such multiget comes here.
    if (setter == null || isFull()) {
      return false;
    }
    return add(table);
  }

  /** Number of tables with a timer. */
  public int size() {
    return installed.size();
  }

  /** Forgets dropped tables, also those that were made again with the same id. */
  public void sweep() {
    installed.entrySet().removeIf(entry -> stores.apply(entry.getKey()) != entry.getValue().store);
  }

  private boolean isFull() {
    boolean full = installed.size() >= MOST;
    if (full && !fullLogged.getAndSet(true)) {
      logger.warn(
          "Manx has timers in {} tables, its limit: multigets of further tables keep stock's paging",
          MOST);
    }
    return full;
  }

  private synchronized boolean add(TableId table) {
    if (installed.containsKey(table)) {
      return true;
    }
    Installed placed = setter == null || isFull() ? null : places.apply(table);
    if (placed != null) {
      installed.put(table, placed);
    }
    return placed != null;
  }

  private Installed place(TableId table) {
    ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(table);
    if (store == null) {
      return null;
    }
    TableTimer timer = new TableTimer(store.metric.coordinatorReadLatency, current, faults);
    set(store, timer);
    return new Installed(store, timer);
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

  /** The tables with one of Manx's timers, by name. */
  public Map<String, Row> rows() {
    Map<String, Row> rows = new TreeMap<>();
    installed
        .values()
        .forEach(
            each -> {
              ColumnFamilyStore store = each.table();
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
