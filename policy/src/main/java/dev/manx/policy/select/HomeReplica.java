/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;

/** The choice of a key's home replica, the one that caches it. */
enum HomeReplica {
  /** The first in stock order: the ring's order in the simulator, the snitch's on a node. */
  STOCK_ORDER,
  /**
   * The replica with the largest hash of key and node, regardless of the stock order and of the
   * coordinator.
   */
  KEY_HASH;

  static final Setting SETTING =
      Setting.choice(
          "home",
          HomeReplica.class,
          "how a key's home replica is chosen; key-hash: by key and nodes, equally at all"
              + " coordinators");

  /** The kind of home in the settings. */
  static HomeReplica of(Values settings) {
    return settings.choice("home", HomeReplica.class);
  }

  /**
   * Puts a key's home first in {@code replicas[from, to)}; a read that is sent to several replicas
   * goes to the home and to those that would be the home without it.
   */
  void rank(Request request, int read, int from, int to, ClusterView view) {
    if (this == STOCK_ORDER) {
      return;
    }
    int[] replicas = request.replicas();
    int end = from + ReplicaChoices.choices(request, read, from, to);
    for (int place = from; place < end; place++) {
      request.toFront(place, find(replicas, place, to, request.keyHash(read), view));
    }
  }

  private static int find(int[] replicas, int from, int to, long keyHash, ClusterView view) {
    int home = from;
    long most = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      // Ids will not do: each coordinator of a cluster has its own.
      long hash = SplitMix.mix(keyHash ^ SplitMix.mix(view.identity(replicas[i]) + 1L));
      if (hash > most) {
        most = hash;
        home = i;
      }
    }
    return home;
  }
}
