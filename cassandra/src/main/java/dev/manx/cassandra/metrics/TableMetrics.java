/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.HashSet;
import java.util.Set;

/** The latency of each table's requests, by width, as long as the table has a separate entry. */
final class TableMetrics {
  private static final String NAME = "TableLatency";

  private final Registered registered;
  private final RequestLatency requests;
  private Set<Key> known = new HashSet<>();

  private record Key(String keyspace, String table, Width width) {
    // The shared entry has an empty keyspace, which a bean's name does not allow.
    String[] keys() {
      return new String[] {
        "keyspace",
        keyspace.isEmpty() ? RequestLatency.OTHER : keyspace,
        "scope",
        table,
        "width",
        width.label()
      };
    }
  }

  TableMetrics(Registered registered, RequestLatency requests) {
    this.registered = registered;
    this.requests = requests;
  }

  void refresh() {
    Set<Key> seen = new HashSet<>();
    for (TableLatency place : requests.tables()) {
      for (Width width : Width.values()) {
        if (place.weighted(width) != null) {
          seen.add(new Key(place.keyspace, place.table, width));
        }
      }
    }
    for (Key key : known) {
      if (!seen.contains(key)) {
        registered.remove(NAME, key.keys());
      }
    }
    for (Key key : seen) {
      if (!known.contains(key)) {
        registered.add(
            NAME,
            new BucketHistogram(() -> requests.of(key.keyspace, key.table, key.width)),
            key.keys());
      }
    }
    known = seen;
  }
}
