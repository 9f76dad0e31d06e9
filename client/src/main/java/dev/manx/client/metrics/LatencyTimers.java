/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.Backend;
import dev.manx.client.BackendListener;
import dev.manx.client.FanoutCache;
import dev.manx.client.LatencyListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Records latencies in timers whose buckets, unlike percentiles, can be summed over servers.
 * Thread-safe.
 */
final class LatencyTimers implements LatencyListener, BackendListener {
  /*
   * Each bucket is at most 1.5 times the previous one in the range of page latencies. Micrometer's
   * own buckets would be 70 per timer, and 30 backends have 60 timers.
   */
  private static final Duration[] BUCKETS =
      LongStream.of(
              250,
              500,
              1_000,
              1_500,
              2_000,
              3_000,
              5_000,
              7_500,
              10_000,
              15_000,
              20_000,
              30_000,
              50_000,
              75_000,
              100_000,
              150_000,
              200_000,
              300_000,
              500_000,
              750_000,
              1_000_000,
              1_500_000,
              2_000_000,
              3_000_000,
              5_000_000,
              10_000_000)
          .mapToObj(micros -> Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros)))
          .toArray(Duration[]::new);

  private record Pair(Timer queries, Timer loads) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Timer requests;
  private final Map<Backend<?, ?>, Pair> backends = new ConcurrentHashMap<>();

  LatencyTimers(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    requests = timer("manx.cache.request.time", "latency of requests with queries", tags);
  }

  void follow(FanoutCache cache) {
    cache.listen((BackendListener) this);
    cache.listen((LatencyListener) this);
  }

  private Timer timer(String name, String meaning, Tags own) {
    return Timer.builder(name)
        .description(meaning)
        .serviceLevelObjectives(BUCKETS)
        .tags(own)
        .register(registry);
  }

  @Override
  public void added(Backend<?, ?> backend) {
    Tags own = tags.and("backend", backend.name());
    backends.put(
        backend,
        new Pair(
            timer("manx.cache.backend.query.time", "latency of queries that had to wait", own),
            timer("manx.cache.backend.load.time", "time of calls of the loader", own)));
  }

  @Override
  public void removed(Backend<?, ?> backend) {
    Pair gone = backends.remove(backend);
    if (gone != null) {
      registry.remove(gone.queries);
      registry.remove(gone.loads);
    }
  }

  @Override
  public void closed() {
    List.copyOf(backends.keySet()).forEach(this::removed);
    registry.remove(requests);
  }

  @Override
  public void request(long nanos) {
    requests.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void query(Backend<?, ?> backend, long nanos) {
    Pair pair = backends.get(backend);
    if (pair != null) {
      pair.queries.record(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void load(Backend<?, ?> backend, long nanos) {
    Pair pair = backends.get(backend);
    if (pair != null) {
      pair.loads.record(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
