/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Strategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last strategy with an oracle of sizes, so that a switch to a strategy without one and back
 * forgets nothing. Together with the strategy in force it holds no more than one strategy may; it
 * is forgotten where that is too little. Changed by one switch at a time, read by any thread.
 */
final class Learned {
  private static final Logger logger = LoggerFactory.getLogger(Learned.class);

  private final long mostBytes;
  private volatile Strategy strategy;

  /**
   * @param mostBytes what it and the strategy in force may hold together
   */
  Learned(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** That strategy; null if there was none, or it was forgotten. */
  Strategy strategy() {
    return strategy;
  }

  /** Most bytes that it and the strategy in force hold together. */
  long mostBytes() {
    return mostBytes;
  }

  /** Bytes that are held for it alone, and not for the strategy in force. */
  long keptBytes(Strategy inForce) {
    Strategy kept = strategy;
    return kept == null || kept == inForce ? 0 : kept.memoryBytes();
  }

  /** A strategy is about to be built: what it does not go on with must not add up with it. */
  void makeRoom(Blueprint next, Strategy inForce) {
    Strategy kept = strategy;
    if (kept != null && kept != inForce && !next.learnsAs(kept)) {
      long bytes = next.memoryBytes().values().stream().mapToLong(Long::longValue).sum();
      keepBeside(bytes);
    }
  }

  /** A strategy is in force from now on. */
  void inForce(Strategy next) {
    if (next.sizes() != null) {
      strategy = next;
    } else if (strategy != null) {
      keepBeside(next.memoryBytes());
    }
  }

  private void keepBeside(long bytes) {
    long kept = strategy.memoryBytes();
    if (bytes + kept > mostBytes) {
      strategy = null;
      logger.info(
          "Manx forgets what the oracles of an earlier strategy learned: they hold {}, the new"
              + " strategy holds {}, and together they may hold {}",
          Units.bytes(kept),
          Units.bytes(bytes),
          Units.bytes(mostBytes));
    }
  }
}
