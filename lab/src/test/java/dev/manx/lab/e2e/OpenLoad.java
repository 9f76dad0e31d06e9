/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.Paging;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Multigets at a fixed rate through all nodes in turn, and their latencies from the intended start.
 * Every other one asks for pages.
 */
final class OpenLoad {
  private static final int MOST_IN_FLIGHT = 2_000;

  /**
   * The results for clients of some coordinators.
   *
   * @param micros latencies; a failed request counts with the time until it failed
   * @param failed outcomes of failed requests
   */
  record Seen(Map<Paging, Histogram> micros, Collection<Throwable> failed) {
    Seen() {
      this(new EnumMap<>(Paging.class), new ConcurrentLinkedQueue<>());
      for (Paging paging : Paging.values()) {
        micros.put(paging, new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(1), 3));
      }
    }

    private void ended(Paging paging, long nanos, Throwable failure) {
      Histogram into = micros.get(paging);
      into.recordValue(
          Math.min(into.getHighestTrackableValue(), TimeUnit.NANOSECONDS.toMicros(nanos)));
      if (failure != null) {
        failed.add(failure);
      }
    }
  }

  private final CqlSession session;
  private final PreparedStatement multiget;
  private final List<Node> nodes;
  private final int keys;

  OpenLoad(CqlSession session, PreparedStatement multiget, List<Node> nodes, int keys) {
    this.session = session;
    this.multiget = multiget;
    this.nodes = nodes;
    this.keys = keys;
  }

  /**
   * Runs for a while.
   *
   * @param groups the name of the group of coordinators that each node belongs to
   * @param seed the same seed sends the same requests
   * @return results for the clients of each group
   */
  Map<String, Seen> run(int perSecond, int seconds, List<String> groups, long seed)
      throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Seen> seen = new TreeMap<>();
    groups.forEach(group -> seen.computeIfAbsent(group, g -> new Seen()));
    Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    long begin = System.nanoTime();
    for (int i = 0; i < perSecond * seconds; i++) {
      long intended = begin + TimeUnit.SECONDS.toNanos(1) * i / perSecond;
      while (System.nanoTime() - intended < 0) {
        LockSupport.parkNanos(intended - System.nanoTime());
      }
      int coordinator = i % nodes.size();
      Paging paging = Paging.values()[i / nodes.size() % Paging.values().length];
      List<Integer> asked = random.ints(1 + random.nextInt(12), 0, keys).boxed().toList();
      BoundStatement statement =
          multiget
              .bind(asked)
              .setNode(nodes.get(coordinator))
              .setExecutionProfileName(paging.profile());
      inFlight.acquire();
      session
          .executeAsync(statement)
          .whenComplete(
              (rows, failure) -> {
                seen.get(groups.get(coordinator))
                    .ended(paging, System.nanoTime() - intended, failure);
                inFlight.release();
              });
    }
    inFlight.acquire(MOST_IN_FLIGHT);
    return seen;
  }
}
