/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.ShareController;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares whose stores reject resizing: the others are divided without them. Each is retried after
 * some time, because a server may reject resizing only temporarily. Confined to its owner's lock.
 */
final class FixedShares {
  /** A share is retried after this many ticks. */
  static final int TICKS = 12;

  private static final Logger LOGGER = LoggerFactory.getLogger(ControlLoop.class);

  private final Map<String, Long> untilTick = new LinkedHashMap<>();
  private final Set<String> warned = new HashSet<>();

  /**
   * Before a decision: returns shares whose retry is due to the division.
   *
   * @return their names
   */
  List<String> release(long tick, ShareController controller) {
    List<String> due = new ArrayList<>(untilTick.keySet());
    due.removeIf(name -> tick < untilTick.get(name));
    for (String name : due) {
      untilTick.remove(name);
      controller.release(name);
    }
    return due;
  }

  /**
   * After resizing: excludes shares whose stores rejected the resize, each with its actual size.
   */
  void fix(
      Map<String, Throwable> refused,
      long tick,
      ShareController controller,
      Map<String, Share> shares) {
    refused.forEach(
        (name, why) -> {
          Share share = shares.get(name);
          if (share == null) {
            return;
          }
          controller.fix(name, Math.max(0, share.store().allocatedBytes()));
          untilTick.put(name, tick + TICKS);
          if (warned.add(name)) {
            LOGGER.warn(
                "backend {} keeps its share, because its store rejects resizing: {}",
                name,
                why.getMessage());
          }
        });
  }

  /** Removes a share. */
  void remove(String name) {
    untilTick.remove(name);
    warned.remove(name);
  }

  /** The names of the fixed shares. */
  Set<String> names() {
    return Set.copyOf(untilTick.keySet());
  }
}
