/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.primary}: every key always goes to its home replica, so that one node caches it and
 * the caches of all nodes together hold the most keys. A read that is sent to several replicas goes
 * to the same ones each time, its home being the first.
 *
 * <p>Source: Hector's {@code PrimarySelector}. Deviation: {@code home: key-hash} draws the home by
 * a hash of key and node, equal at all coordinators, since on a node the stock order is the
 * snitch's rather than the ring's.
 */
final class PrimarySelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.primary", "every key is read at its home replica")
          .source("Hector PrimarySelector")
          .settings(HomeReplica.SETTING)
          .make(s -> new PrimarySelector(HomeReplica.of(s)));

  private final HomeReplica home;

  /**
   * Creates a selector without state.
   *
   * @param home the choice of a key's home replica
   */
  PrimarySelector(HomeReplica home) {
    this.home = home;
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    home.rank(request, read, from, to, view);
  }
}
