/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.cassandra.message.AddressTable;
import dev.manx.policy.facts.Varints;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A node's report to the controller once an interval: as a replica, its capacity and whether more
 * work arrived; as a coordinator, its demand at each node.
 *
 * <p>Wire form: the nodes, and as varints the capacity, 1 for congested, and the work of each node.
 *
 * @param capacityNanosPerSecond work that this node can do per second, at least 1
 * @param congested whether more work than that arrived since the last report
 * @param workNanos demand at each node since the last report, never negative
 */
record CreditReport(
    long capacityNanosPerSecond, boolean congested, Map<InetAddressAndPort, Long> workNanos) {
  /**
   * Upper limit of plausible values: a thousand times the capacity of a node with 1,000 threads.
   */
  static final long MOST_NANOS = 1_000_000L * 1_000_000_000L;

  /** Most nodes in the wire form; further ones are left out. */
  static final int MOST_NODES = AddressTable.MOST;

  byte[] encode() {
    List<InetAddressAndPort> nodes = workNanos.keySet().stream().limit(MOST_NODES).toList();
    byte[] room = new byte[(2 + nodes.size()) * Varints.MAX_BYTES];
    int at = Varints.put(room, 0, capacityNanosPerSecond);
    at = Varints.put(room, at, congested ? 1 : 0);
    for (InetAddressAndPort node : nodes) {
      at = Varints.put(room, at, workNanos.get(node));
    }
    return AddressTable.put(nodes, Arrays.copyOf(room, at));
  }

  /** Reads a report; null if it is malformed or implausible. */
  static CreditReport decode(byte[] bytes) {
    Varints.Reader reader = new Varints.Reader(bytes);
    List<InetAddressAndPort> nodes = AddressTable.take(reader);
    if (nodes == null) {
      return null;
    }
    long capacity = reader.number();
    long congested = reader.number();
    Map<InetAddressAndPort, Long> work = new LinkedHashMap<>();
    for (InetAddressAndPort node : nodes) {
      work.put(node, Math.min(MOST_NANOS, reader.number()));
    }
    boolean whole = reader.ok() && reader.at() == bytes.length;
    return whole && capacity >= 1 && capacity <= MOST_NANOS
        ? new CreditReport(capacity, congested != 0, work)
        : null;
  }

  /**
   * Merges this report with a later one of the same node, before the controller has processed
   * either.
   */
  CreditReport and(CreditReport later) {
    Map<InetAddressAndPort, Long> sum = new LinkedHashMap<>(later.workNanos);
    workNanos.forEach(
        (node, work) -> {
          if (sum.containsKey(node) || sum.size() < MOST_NODES) {
            sum.merge(node, work, CreditReport::sum);
          }
        });
    return new CreditReport(later.capacityNanosPerSecond, congested || later.congested, sum);
  }

  /** This report's capacity and demand. */
  CreditReport withoutCongestion() {
    return new CreditReport(capacityNanosPerSecond, false, workNanos);
  }

  private static long sum(long one, long other) {
    return Math.min(MOST_NANOS, Math.min(MOST_NANOS, one) + Math.min(MOST_NANOS, other));
  }
}
