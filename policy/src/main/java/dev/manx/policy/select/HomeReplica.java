/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/** Which replica of a key is its home, the one that keeps it in its cache. */
enum HomeReplica {
  /** The first in stock order: the ring's, in the simulator; the snitch's, on a node. */
  STOCK_ORDER,
  /** The one with the largest hash of key and node, whatever the stock order is. */
  KEY_HASH;

  static final Setting SETTING =
      Setting.choice("home", HomeReplica.class, "how a key's home replica is chosen");

  /** The kind of home that the settings name. */
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

  /** Puts the replica at an index first and leaves the others in their order, for retries. */
  static void toFront(int[] replicas, int from, int at) {
    int first = replicas[at];
    System.arraycopy(replicas, from, replicas, from + 1, at - from);
    replicas[from] = first;
  }
}
