/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A connection to a cluster, shared by loading, administration and all arms. Any thread. */
public final class CassandraSession implements AutoCloseable {
  private final CassandraSettings settings;
  private final CqlSession session;

  CassandraSession(CassandraSettings settings, CqlSession session) {
    this.settings = settings;
    this.session = session;
  }

  /** Connects; waits up to 30 s for slow nodes. */
  public static CassandraSession open(CassandraSettings settings) {
    return open(settings, List.of());
  }

  /** Connects with additional driver settings of arms. */
  public static CassandraSession open(CassandraSettings settings, Collection<DriverSettings> arms) {
    CqlSession session =
        CqlSession.builder()
            .addContactPoints(settings.contactPoints())
            .withConfigLoader(DriverConfig.loader(settings, arms))
            .build();
    return new CassandraSession(settings, session);
  }

  /** The settings of this session. */
  public CassandraSettings settings() {
    return settings;
  }

  /** The driver's session. */
  public CqlSession driver() {
    return session;
  }

  /** All nodes currently known, in the order of their native-protocol addresses. */
  public List<Node> nodes() {
    return session.getMetadata().getNodes().values().stream()
        .sorted(Comparator.comparing(node -> node.getEndPoint().resolve().toString()))
        .toList();
  }

  /** The {@link #nodes} of the local datacenter that may coordinate a request. */
  public List<Node> coordinators() {
    return nodes().stream()
        .filter(node -> settings.localDatacenter().equals(node.getDatacenter()))
        .filter(
            node ->
                !settings.contactPointsOnly()
                    || settings.contactPoints().contains(node.getEndPoint().resolve()))
        .toList();
  }

  @Override
  public void close() {
    session.close();
  }
}
