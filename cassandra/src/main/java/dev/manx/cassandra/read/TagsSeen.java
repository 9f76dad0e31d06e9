/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.strategy.Strategy;
import java.lang.ref.WeakReference;

/**
 * Whether reads come with tags under a strategy. If they do, one without is of a coordinator that
 * does not plan, and nothing is known of its request; if none does, all rank by their own forecast.
 * Any thread.
 */
final class TagsSeen {
  // A strategy may hold much, and this outlives it.
  private volatile WeakReference<Strategy> tagged = new WeakReference<>(null);

  /** A read came with a tag. */
  void saw(Strategy strategy) {
    if (!tagged.refersTo(strategy)) {
      tagged = new WeakReference<>(strategy);
    }
  }

  /** Whether one came under this strategy. */
  boolean any(Strategy strategy) {
    return tagged.refersTo(strategy);
  }
}
