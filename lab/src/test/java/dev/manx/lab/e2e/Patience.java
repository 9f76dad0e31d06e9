/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.load.CassandraSettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Time-outs that a pause of a busy machine does not reach. Cassandra's own for writes are two
 * seconds, the load driver's for requests five.
 */
final class Patience {
  private static final String WRITES = "20s";
  private static final long REQUEST_SECONDS = 20;

  private Patience() {}

  /**
   * Lines of cassandra.yaml.
   *
   * @param more further ones, which may replace these
   */
  static Map<String, String> yaml(Map<String, String> more) {
    Map<String, String> lines =
        new TreeMap<>(
            Map.of(
                "write_request_timeout", WRITES,
                "counter_write_request_timeout", WRITES,
                "cas_contention_timeout", WRITES));
    lines.putAll(more);
    return lines;
  }

  /** A session with the nodes of {@code datacenter1}. */
  static CassandraSettings session(String address, int port) {
    CassandraSettings like = CassandraSettings.of(List.of(new InetSocketAddress(address, port)));
    return new CassandraSettings(
        like.contactPoints(),
        like.localDatacenter(),
        like.keyspace(),
        like.table(),
        like.readConsistency(),
        TimeUnit.SECONDS.toNanos(REQUEST_SECONDS),
        like.coordinators());
  }
}
