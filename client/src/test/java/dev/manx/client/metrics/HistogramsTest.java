/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.LatencyListener;
import dev.manx.client.ManualClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Latencies of several servers: unlike percentiles, buckets can be added. */
@Timeout(60)
class HistogramsTest {
  private static final class Server implements AutoCloseable {
    final ManualClock clock = new ManualClock();
    final MeterRegistry registry = new SimpleMeterRegistry();
    final FanoutCache cache = FanoutCache.builder().clock(clock).drivenByHost().open();
    final Backend<Integer, String> songs;
    private int key;
    private Duration takes;

    Server() {
      new FanoutCacheMetrics(cache, Tags.of("cache", "main")).withHistograms().bindTo(registry);
      songs =
          cache.add(
              BackendSpec.<Integer, String>of(
                  "songs",
                  (k, v) -> 10,
                  keys -> {
                    clock.pass(takes);
                    return keys.contains(-1)
                        ? CompletableFuture.failedFuture(new IllegalStateException("down"))
                        : CompletableFuture.completedFuture(Map.of(keys.get(0), "v"));
                  }));
    }

    void requests(int count, Duration each) {
      takes = each;
      for (int i = 0; i < count; i++) {
        ask(key++);
      }
    }

    void ask(int wanted) {
      try (FanoutRequest request = cache.request()) {
        CompletableFuture<String> answer = request.queryOne(songs, wanted);
        assertThat(answer).isDone();
      }
    }

    Timer timer(String name) {
      return registry.get("manx.cache." + name).tag("cache", "main").timer();
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  /** The upper bound in ms of the bucket that holds a quantile of all servers' latencies. */
  private static double quantile(double quantile, Timer... servers) {
    Map<Double, Double> sums = new TreeMap<>();
    double all = 0;
    for (Timer server : servers) {
      all += server.count();
      for (CountAtBucket bucket : server.takeSnapshot().histogramCounts()) {
        sums.merge(bucket.bucket(TimeUnit.MILLISECONDS), bucket.count(), Double::sum);
      }
    }
    for (Map.Entry<Double, Double> bucket : sums.entrySet()) {
      if (bucket.getValue() >= quantile * all) {
        return bucket.getKey();
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  @Test
  void thoseOfTwoServersAddUp() {
    try (Server fast = new Server();
        Server slow = new Server()) {
      fast.requests(900, Duration.ofMillis(4));
      slow.requests(85, Duration.ofMillis(40));
      slow.requests(15, Duration.ofMillis(400));
      for (String what : new String[] {"request.time", "backend.query.time", "backend.load.time"}) {
        Timer one = fast.timer(what);
        Timer other = slow.timer(what);
        assertThat(quantile(0.99, one)).as("alone").isEqualTo(5);
        assertThat(quantile(0.5, other)).as("alone").isEqualTo(50);
        assertThat(quantile(0.9, one, other)).isEqualTo(5);
        assertThat(quantile(0.985, one, other)).isEqualTo(50);
        assertThat(quantile(0.99, one, other)).isEqualTo(500);
        assertThat(other.totalTime(TimeUnit.SECONDS)).isCloseTo(9.4, within(0.1));
      }
    }
  }

  @Test
  void hitsAreRequestsThatNeitherWaitNorLoad() {
    try (Server server = new Server()) {
      server.requests(1, Duration.ofMillis(4));
      server.ask(0);
      server.ask(-1);
      assertThat(server.timer("request.time").count()).isEqualTo(3);
      assertThat(server.timer("backend.query.time").count()).isEqualTo(2);
      assertThat(server.timer("backend.load.time").count()).as("failures too").isEqualTo(2);
      server.cache.remove(server.songs);
      assertThat(server.registry.find("manx.cache.backend.load.time").timer()).isNull();
    }
  }

  @Test
  void aListenerThatThrowsCostsAQueryNothing() {
    try (Server server = new Server()) {
      server.cache.listen(
          new LatencyListener() {
            @Override
            public void request(long nanos) {
              throw new IllegalStateException("request");
            }

            @Override
            public void query(Backend<?, ?> backend, long nanos) {
              throw new IllegalStateException("query");
            }

            @Override
            public void load(Backend<?, ?> backend, long nanos) {
              throw new IllegalStateException("load");
            }
          });
      server.requests(3, Duration.ofMillis(1));
      assertThat(server.songs.stats().pending()).isZero();
      assertThat(server.cache.stats().requests()).isEqualTo(3);
    }
  }

  @Test
  void theyAreLeftOutUnlessAskedFor() {
    try (Server server = new Server()) {
      MeterRegistry plain = new SimpleMeterRegistry();
      new FanoutCacheMetrics(server.cache, Tags.empty()).bindTo(plain);
      assertThat(plain.find("manx.cache.request.time").meter()).isNull();
    }
  }
}
