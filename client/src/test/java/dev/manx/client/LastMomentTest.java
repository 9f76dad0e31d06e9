/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent events at each moment at which a key is hashed. */
@Timeout(60)
class LastMomentTest {
  private static final BackendSettings STALE =
      BackendSettings.DEFAULTS.withFreshness(
          Freshness.timeToLive(Duration.ofMinutes(1)).withStaleIfError(Duration.ofHours(1)));

  private static final int MOMENTS = 40;

  private final ManualClock clock = new ManualClock();
  private final BlockingQueue<CompletableFuture<Map<Key, String>>> loads =
      new LinkedBlockingQueue<>();

  /** A key that runs an action at one of its next hashings. */
  private static final class Key {
    private final int id;
    private int moment = Integer.MAX_VALUE;
    private Runnable then;

    Key(int id) {
      this.id = id;
    }

    void at(int newMoment, Runnable newThen) {
      then = newThen;
      moment = newMoment;
    }

    @Override
    public int hashCode() {
      if (moment != Integer.MAX_VALUE && --moment == 0) {
        moment = Integer.MAX_VALUE;
        then.run();
      }
      return id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && id == key.id;
    }
  }

  /** A request whose deadline is triggered by the test. */
  private static final class Page extends FanoutRequest {
    Page(FanoutCache cache) {
      super(cache, 0);
    }

    @Override
    long ended(Query<?, ?> query) {
      return 0;
    }
  }

  private FanoutCache open() {
    return FanoutCache.builder().drivenByHost().clock(clock).open();
  }

  private Backend<Key, String> add(FanoutCache cache, BackendSettings settings) {
    return cache.add(
        BackendSpec.<Key, String>of(
                "songs",
                (key, value) -> 10,
                keys -> {
                  CompletableFuture<Map<Key, String>> answer = new CompletableFuture<>();
                  loads.add(answer);
                  return answer;
                })
            .with(settings.withTimeOut(Duration.ofMinutes(5))));
  }

  /** Runs work on another thread and waits for it, unless that waits for a lock of this one. */
  private static void elsewhere(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noKeyWhoseLoadFailsAtTheDeadlineCountsAsAbsent(boolean each) throws Exception {
    for (int moment = 1; moment <= MOMENTS; moment++) {
      try (FanoutCache cache = open()) {
        Backend<Key, String> backend = add(cache, STALE);
        Key one = new Key(1);
        Key two = new Key(2);
        Key three = new Key(3);
        assertThat(backend.put(two, "old")).isCompleted();
        assertThat(backend.put(three, "old")).isCompleted();
        clock.pass(Duration.ofMinutes(5));
        var unused = cache.request().query(backend, List.of(one, three));
        CompletableFuture<Map<Key, String>> first = loads.take();
        Map<Key, Throwable> failed = new HashMap<>();
        Query<Key, String> query =
            new Query<>(new Page(cache), backend, 0, new HashMap<>(), 0, true);
        if (each) {
          query.each(List.of(one, two), failed);
        }
        query.misses(List.of(one, two));
        query.load(List.of(one, two));
        CompletableFuture<Map<Key, String>> second = loads.take();
        one.at(moment, () -> elsewhere(() -> query.late(new TimeoutException("the deadline"))));
        first.completeExceptionally(new IllegalStateException("down"));
        second.complete(Map.of(two, "new"));
        CompletableFuture<Map<Key, String>> answer = query.answer;
        Throwable why = answer.handle((found, error) -> error).get(20, TimeUnit.SECONDS);
        if (why == null) {
          Set<Key> known = new HashSet<>(answer.get().keySet());
          known.addAll(failed.keySet());
          assertThat(known).as("moment %d", moment).containsExactlyInAnyOrder(one, two);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeadlineWhileAQueryBeginsIsMetWithItsExpiredValue(boolean each) throws Exception {
    for (int moment = 1; moment <= MOMENTS; moment++) {
      try (FanoutCache cache = open()) {
        Backend<Key, String> backend = add(cache, STALE);
        Key one = new Key(1);
        assertThat(backend.put(one, "old")).isCompleted();
        clock.pass(Duration.ofMinutes(5));
        Query<Key, String> query =
            new Query<>(new Page(cache), backend, 0, new HashMap<>(), 0, true);
        if (each) {
          query.each(List.of(one), new HashMap<>());
        }
        query.misses(List.of(one));
        TimeoutException deadline = new TimeoutException("the deadline");
        one.at(moment, () -> elsewhere(() -> query.late(deadline)));
        query.load(List.of(one));
        query.late(deadline);
        assertThat(query.answer.get(20, TimeUnit.SECONDS))
            .as("moment %d", moment)
            .containsExactly(Map.entry(one, "old"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatIsPutWhileItsLoadFindsNothingIsNotAbsent(boolean local) throws Exception {
    BackendSettings forgetful =
        BackendSettings.DEFAULTS
            .withRememberAbsent(Duration.ofHours(1))
            .withFreshness(Freshness.timeToLive(Duration.ofMinutes(1)));
    for (int moment = 1; moment <= MOMENTS; moment++) {
      FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
      if (!local) {
        builder.stores(Elsewhere.factory(Runnable::run));
      }
      try (FanoutCache cache = builder.open()) {
        Backend<Key, String> backend = add(cache, forgetful);
        Key key = new Key(1);
        CompletableFuture<String> absent = cache.request().queryOne(backend, key);
        CompletableFuture<Map<Key, String>> load = loads.take();
        key.at(moment, () -> elsewhere(() -> load.complete(Map.of())));
        backend.put(key, "written").toCompletableFuture().get(20, TimeUnit.SECONDS);
        load.complete(Map.of());
        assertThat(absent.get(20, TimeUnit.SECONDS)).isNull();
        // The value expires, and the backend must be asked again.
        clock.pass(Duration.ofMinutes(5));
        CompletableFuture<String> again = cache.request().queryOne(backend, key);
        assertThat(again).as("moment %d", moment).isNotDone();
        loads.take().complete(Map.of(key, "written"));
        assertThat(again.get(20, TimeUnit.SECONDS)).isEqualTo("written");
      }
    }
  }
}
