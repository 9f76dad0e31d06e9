/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connection to a cluster and its table of keys and values.
 *
 * @param contactPoints addresses of the native protocol
 * @param localDatacenter the datacenter whose nodes coordinate
 * @param keyspace the keyspace
 * @param table its table, with columns {@code k text} and {@code v blob}
 * @param readConsistency consistency level of measured reads, for example {@code ONE}
 * @param requestTimeoutNanos the driver's time-out of a request
 * @param coordinators choice of the coordinator of a request
 * @param contactPointsOnly whether only contact points coordinate, in round robin; the session
 *     still knows the other nodes
 */
public record CassandraSettings(
    List<InetSocketAddress> contactPoints,
    String localDatacenter,
    String keyspace,
    String table,
    String readConsistency,
    long requestTimeoutNanos,
    Coordinators coordinators,
    boolean contactPointsOnly) {
  /** Largest number of requests in flight at one coordinator; the driver sends no more. */
  public static final int REQUESTS_PER_COORDINATOR = 1024;

  /** The choice of the coordinator of a request. */
  public enum Coordinators {
    /** The driver's default policy, token-aware where a statement has one key. */
    DRIVER_DEFAULT,
    /** Request n goes to coordinator n modulo their number, in the order of their addresses. */
    ROUND_ROBIN
  }

  /** Any node may coordinate. */
  public CassandraSettings(
      List<InetSocketAddress> contactPoints,
      String localDatacenter,
      String keyspace,
      String table,
      String readConsistency,
      long requestTimeoutNanos,
      Coordinators coordinators) {
    this(
        contactPoints,
        localDatacenter,
        keyspace,
        table,
        readConsistency,
        requestTimeoutNanos,
        coordinators,
        false);
  }

  /** Copies the list. */
  public CassandraSettings {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("at least one contact point is needed");
    }
    if (contactPointsOnly && coordinators != Coordinators.ROUND_ROBIN) {
      throw new IllegalArgumentException("only round robin can choose among contact points");
    }
  }

  /** Keyspace {@code manx_lab}, table {@code kv}, reads at ONE, 5 s, driver default. */
  public static CassandraSettings of(List<InetSocketAddress> contactPoints) {
    return new CassandraSettings(
        contactPoints,
        "datacenter1",
        "manx_lab",
        "kv",
        "ONE",
        TimeUnit.SECONDS.toNanos(5),
        Coordinators.DRIVER_DEFAULT);
  }

  /** Keyspace and table. */
  String qualifiedTable() {
    return keyspace + "." + table;
  }
}
