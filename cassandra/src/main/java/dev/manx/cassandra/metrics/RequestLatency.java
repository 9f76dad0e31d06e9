/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Latency of the tracked requests, by table, width, group and pressure. The first tables have
 * separate entries; all others share one. Any thread.
 */
public final class RequestLatency {
  /** The name of the tables without a separate entry. */
  public static final String OTHER = "other";

  /** The name of all tables together. */
  public static final String ALL = "all";

  private volatile int mostTables;
  private final BiPredicate<String, String> compared;
  private volatile Places places;

  /** The entries since the last {@link #clear}. */
  private record Places(
      ConcurrentHashMap<TableId, TableLatency> byTable, TableLatency other, Instant since) {
    static Places none() {
      return new Places(
          new ConcurrentHashMap<>(),
          new TableLatency("", OTHER, true),
          Instant.now().truncatedTo(ChronoUnit.SECONDS));
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
   * @param compared whether the canary includes a keyspace's table; excluded tables are tracked,
   *     but not part of {@link #ALL}
   */
  public RequestLatency(int mostTables, BiPredicate<String, String> compared) {
    this.mostTables = mostTables;
    this.compared = compared;
    places = Places.none();
  }

  void add(
      TableMetadata table, Width width, Group group, Pressure pressure, long nanos, Ending ending) {
    TableLatency place = place(table);
    if (place != null) {
      place.add(width, group, pressure, nanos, ending);
    }
  }

  private TableLatency place(TableMetadata table) {
    Places now = places;
    TableLatency place = now.byTable.get(table.id);
    if (place != null) {
      return place;
    }
    boolean included = compared.test(table.keyspace, table.name);
    if (now.byTable.size() < mostTables) {
      place = newPlace(now, table, included);
    }
    return place == null && included ? now.other : place;
  }

  private synchronized TableLatency newPlace(Places now, TableMetadata table, boolean included) {
    return now.byTable.size() < mostTables || now.byTable.containsKey(table.id)
        ? now.byTable.computeIfAbsent(
            table.id, id -> new TableLatency(table.keyspace, table.name, included))
        : null;
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
    now.byTable
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !exists.test(entry.getKey());
              if (gone && entry.getValue().compared) {
                now.other.take(entry.getValue());
              }
              return gone;
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

  /** The buckets of a table's requests of a width; none if it has no entry. */
  List<DurationCounts> of(String keyspace, String table, Width width) {
    return places.all().stream()
        .filter(place -> place.keyspace.equals(keyspace) && place.table.equals(table))
        .flatMap(place -> place.of(width).stream())
        .toList();
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
