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
 * Shares whose stores refuse to be resized: the others are divided without them. Each is tried
 * again now and then, for a server may refuse for a while only. Confined to its owner's lock.
 */
final class FixedShares {
  /** A share is tried again after so many ticks. */
  static final int TICKS = 12;

  private static final Logger LOGGER = LoggerFactory.getLogger(ControlLoop.class);

  private final Map<String, Long> untilTick = new LinkedHashMap<>();
  private final Set<String> warned = new HashSet<>();

  /** Before a decision: those whose time has come are divided again. */
  void release(long tick, ShareController controller) {
    List<String> due = new ArrayList<>(untilTick.keySet());
    due.removeIf(name -> tick < untilTick.get(name));
    for (String name : due) {
      untilTick.remove(name);
      controller.release(name);
    }
  }

  /** After stores were asked: leaves those out that refused. */
  void fix(Map<String, Throwable> refused, long tick, ShareController controller) {
    refused.forEach(
        (name, why) -> {
          if (!controller.backends().contains(name)) {
            return;
          }
          controller.fix(name);
          untilTick.put(name, tick + TICKS);
          if (warned.add(name)) {
            LOGGER.warn(
                "backend {} keeps its share, and the others are divided without it: {}",
                name,
                why.getMessage());
          }
        });
  }

  /** A share is gone. */
  void remove(String name) {
    untilTick.remove(name);
    warned.remove(name);
  }

  /** All of them begin anew. */
  void clear() {
    untilTick.clear();
  }

  /** Their names now. */
  Set<String> names() {
    return Set.copyOf(untilTick.keySet());
  }
}
