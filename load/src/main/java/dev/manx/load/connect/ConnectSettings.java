/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import java.util.List;
import java.util.Optional;

/**
 * Settings to connect to a cluster.
 *
 * @param contactPoints nodes that provide the list of all others
 * @param localDatacenter datacenter given by the caller; it must exist
 * @param login user and password
 * @param tls if the nodes require it
 * @param timeoutNanos of connecting and of a single query
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

  /** A user of Cassandra's password authentication. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }
}
