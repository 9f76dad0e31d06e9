/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.strategy.Strategy;
import java.lang.ref.WeakReference;

/**
 * Records whether reads carry tags under a strategy. If they do, a read without a tag is from a
 * coordinator that does not plan, and its request is unknown; if none does, all reads rank by their
 * own forecasts. Any thread.
 */
final class TagsSeen {
  // A strategy may use much memory, and this object outlives it.
  private volatile WeakReference<Strategy> tagged = new WeakReference<>(null);

  /** Records a read with a tag. */
  void saw(Strategy strategy) {
    if (!tagged.refersTo(strategy)) {
      tagged = new WeakReference<>(strategy);
    }
  }

  /** Whether a read carried a tag under this strategy. */
  boolean any(Strategy strategy) {
    return tagged.refersTo(strategy);
  }
}
