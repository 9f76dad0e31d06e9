/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Knows which nodes, counted from 1, the events of a turn have made unreachable. Any thread. */
final class NodePresence {
  // The driver tries again to connect after 4 s at most; opening the connection also takes time.
  private static final long RECONNECTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final Set<Integer> away = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Integer> departures = new ConcurrentHashMap<>();
  private final Map<Integer, Long> returned = new ConcurrentHashMap<>();
  private final Set<Integer> killed = ConcurrentHashMap.newKeySet();

  /**
   * @param nanoTime a clock
   */
  NodePresence(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Records that a node is about to stop answering. */
  void leaves(int node) {
    departures.merge(node, 1, Integer::sum);
    away.add(node);
  }

  /** Records that a node is about to end, and its counters with it. */
  void ends(int node) {
    killed.add(node);
    leaves(node);
  }

  /** Records that a node answers again, as soon as the driver has connected to it. */
  void returns(int node) {
    returned.put(node, nanoTime.getAsLong());
    away.remove(node);
  }

  /** Whether a node was killed in this turn, so that its counters were reset. */
  boolean wasKilled(int node) {
    return killed.contains(node);
  }

  /**
   * The answer to a query of a node; empty if it is away, or leaves before it has answered, or has
   * just returned and does not answer yet.
   *
   * @throws DriverException if a node that was there all the time does not answer
   */
  <T> Optional<T> ask(int node, Supplier<T> query) {
    int before = departures.getOrDefault(node, 0);
    if (away.contains(node)) {
      return Optional.empty();
    }
    boolean hasJustReturned = hasJustReturned(node);
    try {
      return Optional.of(query.get());
    } catch (DriverException e) {
      if (hasJustReturned || departures.getOrDefault(node, 0) > before) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private boolean hasJustReturned(int node) {
    Long at = returned.get(node);
    return at != null && nanoTime.getAsLong() - at < RECONNECTED_NANOS;
  }
}
