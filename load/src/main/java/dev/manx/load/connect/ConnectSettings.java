/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import java.util.List;
import java.util.Optional;

/**
 * How to reach a cluster.
 *
 * @param contactPoints nodes to ask for all others
 * @param localDatacenter the datacenter that the caller names; it must exist
 * @param login user and password
 * @param tls if the nodes want it
 * @param timeoutNanos of connecting and of a single question
 */
public record ConnectSettings(
    List<HostPort> contactPoints,
    Optional<String> localDatacenter,
    Optional<Login> login,
    Optional<TlsSettings> tls,
    long timeoutNanos) {
  /** Copies the list. */
  public ConnectSettings {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty()) {
      throw new IllegalArgumentException("at least one contact point is needed");
    }
  }

  /** The same for one node. */
  ConnectSettings at(HostPort node) {
    return new ConnectSettings(List.of(node), localDatacenter, login, tls, timeoutNanos);
  }

  /** A user of Cassandra's password authentication. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }
}
