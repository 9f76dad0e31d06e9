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
 * The controller's grant to a coordinator: work per second at each node that reports to it. A grant
 * without nodes only states that the controller is alive and its last grant still holds.
 *
 * <p>Wire form: the nodes, and the work at each as varints.
 *
 * @param nanosPerSecond never negative
 */
record CreditGrant(Map<InetAddressAndPort, Long> nanosPerSecond) {
  /** The controller is alive. */
  static final CreditGrant BEAT = new CreditGrant(Map.of());

  boolean isBeat() {
    return nanosPerSecond.isEmpty();
  }

  byte[] encode() {
    List<InetAddressAndPort> nodes = List.copyOf(nanosPerSecond.keySet());
    byte[] room = new byte[nodes.size() * Varints.MAX_BYTES];
    int at = 0;
    for (InetAddressAndPort node : nodes) {
      at = Varints.put(room, at, nanosPerSecond.get(node));
    }
    return AddressTable.put(nodes, Arrays.copyOf(room, at));
  }

  /** Reads a grant; null if it is malformed. */
  static CreditGrant decode(byte[] bytes) {
    Varints.Reader reader = new Varints.Reader(bytes);
    List<InetAddressAndPort> nodes = AddressTable.take(reader);
    if (nodes == null) {
      return null;
    }
    Map<InetAddressAndPort, Long> granted = new LinkedHashMap<>();
    for (InetAddressAndPort node : nodes) {
      granted.put(node, reader.number());
    }
    return reader.ok() && reader.at() == bytes.length ? new CreditGrant(granted) : null;
  }
}
