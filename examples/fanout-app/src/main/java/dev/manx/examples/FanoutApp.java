/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.client.Loader;
import dev.manx.client.Request;
import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Requests that ask three backends at once. After a third of the run one backend becomes slow;
 * watch its share of the cache grow and the slowest requests recover.
 *
 * <pre>java -jar examples/fanout-app/target/fanout-app.jar [seconds]</pre>
 */
public final class FanoutApp {
  private static final int REQUESTS_PER_SECOND = 200;
  private static final int OBJECTS = 6_000;

  /** The controller decides ten times as often as published, so that something happens soon. */
  private static final String SETTINGS =
      """
      capacity: 12MiB
      policy: { policy: cache.robinhood, interval: 500ms, floor: 256KiB, page: 16KiB, tax: 4% }
      request-time-out: 1s
      """;

  private final Map<String, SlowBackend> slow = new LinkedHashMap<>();
  private final List<Backend<Integer, byte[]>> backends = new ArrayList<>();

  private FanoutApp() {}

  /** Runs for so many seconds, 45 unless told. */
  public static void main(String[] args) throws InterruptedException {
    new FanoutApp().run(args.length == 0 ? 45 : Integer.parseInt(args[0]), System.out);
  }

  /** Runs and prints a line per second. */
  static void play(int seconds, PrintStream out) throws InterruptedException {
    new FanoutApp().run(seconds, out);
  }

  private void run(int seconds, PrintStream out) throws InterruptedException {
    ScheduledExecutorService users = Executors.newScheduledThreadPool(1);
    try (FanoutCache cache =
        FanoutCache.builder().configure(ConfigNode.parse("settings", SETTINGS)).open()) {
      add(cache, "songs", 4);
      add(cache, "artists", 6);
      add(cache, "reviews", 5);
      SplittableRandom random = new SplittableRandom(1);
      users.scheduleAtFixedRate(
          () -> request(cache, random), 0, 1_000_000 / REQUESTS_PER_SECOND, TimeUnit.MICROSECONDS);
      out.println("  s   p99 ms   share of the cache, MiB, and (hit ratio)");
      for (int second = 1; second <= seconds; second++) {
        Thread.sleep(1_000);
        if (second == seconds / 3) {
          slow.get("reviews").slowDownTo(40);
          out.println("     reviews takes 40 ms from now on");
        }
        out.println(line(second, cache));
      }
    } finally {
      users.shutdownNow();
    }
  }

  private void add(FanoutCache cache, String name, long millis) {
    SlowBackend backend = new SlowBackend(millis);
    slow.put(name, backend);
    backends.add(
        cache.add(
            BackendSpec.of(
                name,
                Sizers.of(Sizers::number, Sizers::bytes),
                Loader.onThreads(8, 1_000, backend))));
  }

  /** One user: two objects of every backend, all at once; nobody waits for anybody. */
  private void request(FanoutCache cache, SplittableRandom random) {
    Request request = cache.request();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (Backend<Integer, byte[]> backend : backends) {
      answers.add(request.query(backend, List.of(popular(random), popular(random))));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    request.completeAfter(all);
  }

  /** Small numbers are asked for more often. */
  private static int popular(SplittableRandom random) {
    return (int) (OBJECTS * Math.pow(random.nextDouble(), 3));
  }

  private static String line(int second, FanoutCache cache) {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%3d  %7.1f  ", second, cache.recent().requestNanos(0.99) / 1e6));
    for (Map.Entry<String, BackendStats> entry : cache.backendStats().entrySet()) {
      BackendStats stats = entry.getValue();
      line.append(
          String.format(
              Locale.ROOT,
              " %s %.1f (%.2f) ",
              entry.getKey(),
              stats.allocatedBytes() / (double) (1 << 20),
              stats.hitRatio()));
    }
    return line.toString();
  }
}
