/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Latency of the tracked requests, by table, width, group and pressure. The first tables have
 * separate entries, those that the canary includes before others; all others share one. Any thread.
 */
public final class RequestLatency {
  /** The name of the tables without a separate entry. */
  public static final String OTHER = "other";

  /** The name of all tables together. */
  public static final String ALL = "all";

  private volatile int mostTables;
  private final BiPredicate<String, String> compared;
  private volatile Places places;

  /**
   * The entries since the last {@link #clear}.
   *
   * @param excluded number of separate entries of tables that the canary excludes
   */
  private record Places(
      ConcurrentHashMap<TableId, TableLatency> byTable,
      ConcurrentHashMap<String, TableLatency> byName,
      AtomicInteger excluded,
      TableLatency other,
      Instant since) {
    static Places none() {
      TableLatency other = new TableLatency("", OTHER, true);
      ConcurrentHashMap<String, TableLatency> byName = new ConcurrentHashMap<>();
      byName.put(name(other.keyspace, other.table), other);
      return new Places(
          new ConcurrentHashMap<>(),
          byName,
          new AtomicInteger(),
          other,
          Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private static String name(String keyspace, String table) {
      return keyspace + "." + table;
    }

    TableLatency find(String keyspace, String table) {
      return byName.get(name(keyspace, table));
    }

    void add(TableId id, TableLatency place) {
      byName.put(name(place.keyspace, place.table), place);
      byTable.put(id, place);
      excluded.addAndGet(place.compared ? 0 : 1);
    }

    void remove(TableId id, TableLatency place) {
      byTable.remove(id);
      // A table that was made again under the same name has an entry of its own.
      byName.remove(name(place.keyspace, place.table), place);
      excluded.addAndGet(place.compared ? 0 : -1);
    }

    /** Removes an entry that no comparison needs; false if there is none. */
    boolean removeExcluded() {
      for (Map.Entry<TableId, TableLatency> entry : byTable.entrySet()) {
        if (!entry.getValue().compared) {
          remove(entry.getKey(), entry.getValue());
          return true;
        }
      }
      return false;
    }

    List<TableLatency> all() {
      List<TableLatency> all = new ArrayList<>(byTable.values());
      all.add(other);
      return all;
    }
  }

  /**
   * One line of the comparison.
   *
   * @param table {@code keyspace.table}, {@link #OTHER} or {@link #ALL}
   * @param acted latencies of requests that Manx acted on
   * @param control latencies of the other requests
   * @param actedFailures failures of the first
   * @param controlFailures failures of the others
   */
  public record Row(
      String table,
      Width width,
      Pressure pressure,
      Quantiles acted,
      Quantiles control,
      Failures actedFailures,
      Failures controlFailures) {}

  /**
   * Numbers of failed requests.
   *
   * @param timedOut requests that timed out; their latencies are counted
   * @param others requests that failed in another way; they have no latency
   */
  public record Failures(long timedOut, long others) {
    static final Failures NONE = new Failures(0, 0);

    private Failures plus(Failures more) {
      return new Failures(timedOut + more.timedOut, others + more.others);
    }
  }

  /**
   * @param mostTables most tables with separate entries
   * @param compared whether the canary includes a keyspace's table; excluded tables are tracked as
   *     long as no included one needs their entry, but are not part of {@link #ALL}
   */
  public RequestLatency(int mostTables, BiPredicate<String, String> compared) {
    this.mostTables = mostTables;
    this.compared = compared;
    places = Places.none();
  }

  void add(
      TableMetadata table,
      Width width,
      Group group,
      Pressure pressure,
      int weight,
      long nanos,
      Ending ending) {
    TableLatency place = place(table);
    if (place != null) {
      place.add(width, group, pressure, weight, nanos, ending);
    }
  }

  private TableLatency place(TableMetadata table) {
    Places now = places;
    TableLatency place = now.byTable.get(table.id);
    if (place != null) {
      return place;
    }
    boolean included = compared.test(table.keyspace, table.name);
    if (now.byTable.size() < mostTables || included && now.excluded.get() > 0) {
      place = newPlace(now, table, included);
    }
    return place == null && included ? now.other : place;
  }

  private synchronized TableLatency newPlace(Places now, TableMetadata table, boolean included) {
    TableLatency known = now.byTable.get(table.id);
    if (known != null) {
      return known;
    }
    if (now.byTable.size() >= mostTables && !(included && now.removeExcluded())) {
      return null;
    }
    TableLatency place = new TableLatency(table.keyspace, table.name, included);
    now.add(table.id, place);
    return place;
  }

  /** The most bytes of a number of tables and the shared entry. */
  public static long mostBytes(int tables) {
    return (tables + 1) * TableLatency.MOST_BYTES;
  }

  /** The bound of {@link #memoryBytes}. */
  public long mostBytes() {
    return mostBytes(mostTables);
  }

  /** Bytes in use. */
  public long memoryBytes() {
    return places.all().stream().mapToLong(TableLatency::memoryBytes).sum();
  }

  /** Sets the number of tables with separate entries, and starts anew. */
  public void mostTables(int tables) {
    if (tables != mostTables) {
      mostTables = tables;
      clear();
    }
  }

  /** Starts anew. */
  public void clear() {
    places = Places.none();
  }

  /** The time of the start, for operators. */
  public Instant since() {
    return places.since;
  }

  /** Called by the timer, once a minute; see {@link DurationCounts#turn}. */
  void turn() {
    places.all().forEach(TableLatency::turn);
  }

  /** Frees the entries of dropped tables; their counts move to {@link #OTHER}. */
  synchronized void sweep(Predicate<TableId> exists) {
    Places now = places;
    now.byTable.forEach(
        (id, place) -> {
          if (!exists.test(id)) {
            now.remove(id, place);
            if (place.compared) {
              now.other.take(place);
            }
          }
        });
  }

  /** The tables with separate entries, and the shared entry. */
  List<TableLatency> tables() {
    return places.all();
  }

  /** The buckets of a class over all tables that the canary includes. */
  List<DurationCounts> all(Width width, Group group, Pressure pressure) {
    return buckets(compared(), width, group, pressure);
  }

  /** The failed requests of a class over all tables that the canary includes. */
  Failures failures(Width width, Group group, Pressure pressure) {
    return failures(compared(), width, group, pressure);
  }

  private List<TableLatency> compared() {
    return places.all().stream().filter(place -> place.compared).toList();
  }

  /**
   * The buckets of a table's requests of a width, each request with its weight; none if it has no
   * entry.
   */
  List<DurationCounts> of(String keyspace, String table, Width width) {
    TableLatency place = places.find(keyspace, table);
    DurationCounts found = place == null ? null : place.weighted(width);
    return found == null ? List.of() : List.of(found);
  }

  /** Latencies of acted and control requests since the last {@link #clear}. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Width width : Width.values()) {
      for (Pressure pressure : Pressure.values()) {
        List<TableLatency> all = places.all();
        add(rows, ALL, width, pressure, all.stream().filter(place -> place.compared).toList());
        for (TableLatency place : all) {
          String name = place.keyspace.isEmpty() ? OTHER : place.keyspace + "." + place.table;
          add(rows, name, width, pressure, List.of(place));
        }
      }
    }
    return rows;
  }

  private static void add(
      List<Row> rows, String table, Width width, Pressure pressure, List<TableLatency> places) {
    List<DurationCounts> acted = buckets(places, width, Group.ACTED, pressure);
    List<DurationCounts> control = buckets(places, width, Group.CONTROL, pressure);
    if (!acted.isEmpty() || !control.isEmpty()) {
      rows.add(
          new Row(
              table,
              width,
              pressure,
              Quantiles.of(acted),
              Quantiles.of(control),
              failures(places, width, Group.ACTED, pressure),
              failures(places, width, Group.CONTROL, pressure)));
    }
  }

  private static List<DurationCounts> buckets(
      List<TableLatency> places, Width width, Group group, Pressure pressure) {
    return places.stream()
        .map(place -> place.get(width, group, pressure))
        .filter(Objects::nonNull)
        .toList();
  }

  private static Failures failures(
      List<TableLatency> places, Width width, Group group, Pressure pressure) {
    return places.stream()
        .map(place -> place.failures(width, group, pressure))
        .reduce(Failures.NONE, Failures::plus);
  }
}
