/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Loader;
import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An application with three backends and a cache before them. */
final class Site implements AutoCloseable {
  /** The backend that becomes slow. */
  static final String SLOW = "reviews";

  private static final int CONNECTIONS = 4;
  private static final int OBJECTS = 1_500;
  private static final long SLOW_MILLIS = 70;

  private final FanoutCache cache;
  private final List<Backend<Integer, byte[]>> backends = new ArrayList<>();
  private final SlowBackend slow = new SlowBackend(5);
  private final Backend<Integer, byte[]> reviews;
  private final Queue<Long> latencies = new ConcurrentLinkedQueue<>();
  private long missesBefore;

  /**
   * @param policy policy that divides the cache, as YAML
   */
  Site(String policy) {
    String settings = "{ capacity: 12MiB, request-time-out: 1s, policy: " + policy + " }";
    cache = FanoutCache.builder().configure(ConfigNode.parse("settings", settings)).open();
    add("songs", new SlowBackend(4));
    add("artists", new SlowBackend(6));
    reviews = add(SLOW, slow);
  }

  private Backend<Integer, byte[]> add(String name, SlowBackend backend) {
    Backend<Integer, byte[]> added =
        cache.add(
            BackendSpec.of(
                name,
                Sizers.of(Sizers::number, Sizers::bytes),
                Loader.onThreads(CONNECTIONS, 1_000, backend)));
    backends.add(added);
    return added;
  }

  void slowDown() {
    slow.slowDownTo(SLOW_MILLIS);
  }

  /** One user: two objects of every backend, queried concurrently. */
  void request(SplittableRandom random) {
    long start = System.nanoTime();
    FanoutRequest request = cache.request();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (Backend<Integer, byte[]> backend : backends) {
      answers.add(request.query(backend, List.of(popular(random), popular(random))));
    }
    request
        .completeAfter(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
        .whenComplete((done, error) -> latencies.add(System.nanoTime() - start));
  }

  /** Small numbers are more popular. */
  private static int popular(SplittableRandom random) {
    return (int) (OBJECTS * Math.pow(random.nextDouble(), 3));
  }

  /** P95 of the requests that ended since the last call. */
  double p95Millis() {
    List<Long> ended = new ArrayList<>();
    for (Long next = latencies.poll(); next != null; next = latencies.poll()) {
      ended.add(next);
    }
    ended.sort(null);
    return ended.isEmpty() ? Double.NaN : ended.get(ended.size() * 95 / 100) / 1e6;
  }

  double slowMib() {
    return reviews.stats().allocatedBytes() / (double) (1 << 20);
  }

  /** Number of keys loaded from the slow backend since the last call. */
  long newMisses() {
    long misses = reviews.stats().misses();
    long fresh = misses - missesBefore;
    missesBefore = misses;
    return fresh;
  }

  @Override
  public void close() {
    cache.close();
  }
}
