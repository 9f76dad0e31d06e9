/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Strategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last strategy with a size oracle, so that a switch to a strategy without one and back
 * does not lose learnt data. Together with the strategy in force it holds at most the memory limit
 * of one strategy; beyond that it is forgotten. Modified by one switch at a time, read by any
 * thread.
 */
final class KeptOracles {
  private static final Logger logger = LoggerFactory.getLogger(KeptOracles.class);

  private final long mostBytes;
  private volatile Strategy strategy;

  /**
   * @param mostBytes most memory of the kept strategy and the one in force together
   */
  KeptOracles(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The kept strategy; null if there was none, or it was forgotten. */
  Strategy strategy() {
    return strategy;
  }

  /** Most memory of the kept strategy and the one in force together, in bytes. */
  long mostBytes() {
    return mostBytes;
  }

  /** Bytes held only for the kept strategy, not for the strategy in force. */
  long keptBytes(Strategy inForce) {
    Strategy kept = strategy;
    return kept == null || kept == inForce ? 0 : kept.memoryBytes();
  }

  /**
   * Called before a strategy is built: forgets data that the new strategy does not reuse, so that
   * both do not add up.
   */
  void makeRoom(Blueprint next, Strategy inForce) {
    Strategy kept = strategy;
    if (kept != null && kept != inForce && !next.learnsAs(kept)) {
      long bytes = next.memoryBytes().values().stream().mapToLong(Long::longValue).sum();
      keepBeside(bytes);
    }
  }

  /** Called when a strategy is in force. */
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
