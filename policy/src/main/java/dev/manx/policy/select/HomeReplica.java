/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/** The choice of a key's home replica, the one that caches it. */
enum HomeReplica {
  /** The first in stock order: the ring's order in the simulator, the snitch's on a node. */
  STOCK_ORDER,
  /** The replica with the largest hash of key and node, regardless of the stock order. */
  KEY_HASH;

  static final Setting SETTING =
      Setting.choice("home", HomeReplica.class, "how a key's home replica is chosen");

  /** The kind of home in the settings. */
  static HomeReplica of(Values settings) {
    return settings.choice("home", HomeReplica.class);
  }

  /** Index of the home in {@code replicas[from, to)}, which is not empty. */
  int find(int[] replicas, int from, int to, long keyHash) {
    if (this == STOCK_ORDER) {
      return from;
    }
    int home = from;
    long most = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long hash = SplitMix.mix(keyHash ^ SplitMix.mix(replicas[i] + 1L));
      if (hash > most) {
        most = hash;
        home = i;
      }
    }
    return home;
  }

  /** Moves the replica at an index to the front and keeps the order of the others, for retries. */
  static void toFront(int[] replicas, int from, int at) {
    int first = replicas[at];
    System.arraycopy(replicas, from, replicas, from + 1, at - from);
    replicas[from] = first;
  }
}
