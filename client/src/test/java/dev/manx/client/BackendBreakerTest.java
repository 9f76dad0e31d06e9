/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failing backend is spared for a while, then tried by one load. */
@Timeout(60)
class BackendBreakerTest {
  private static final BreakerSettings SETTINGS =
      new BreakerSettings(4, 0.5, Duration.ofSeconds(10));

  private final ManualClock clock = new ManualClock();
  private final Replies songs = new Replies();
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().clock(clock).open();
  private int nextKey = 100;

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> add(Freshness freshness) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
            .with(
                BackendSettings.DEFAULTS
                    .withTimeOut(Duration.ofMinutes(5))
                    .withBreaker(SETTINGS)
                    .withFreshness(freshness)));
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend) {
    return cache.request().queryOne(backend, nextKey++);
  }

  private void load(Backend<Integer, String> backend, boolean fails) throws Exception {
    CompletableFuture<String> unused = ask(backend);
    Replies.Call call = songs.next();
    if (fails) {
      call.fails();
    } else {
      call.with("v");
    }
  }

  private void opens(Backend<Integer, String> backend) throws Exception {
    for (boolean fails : new boolean[] {true, false, true, false}) {
      assertThat(backend.stats().breakerOpen()).isFalse();
      load(backend, fails);
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
  }

  private static void isRefused(CompletableFuture<String> answer) {
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(BreakerOpenException.class)
        .hasMessageContaining("songs");
  }

  @Test
  void itOpensAtTheShareOfFailuresAndAsksNoMore() throws Exception {
    Backend<Integer, String> backend = add(Freshness.FOREVER);
    opens(backend);
    isRefused(ask(backend));
    isRefused(ask(backend));
    assertThat(songs.quiet()).isTrue();
    assertThat(backend.stats().broken()).isEqualTo(2);
    assertThat(backend.stats().loadFailures()).isEqualTo(2);
  }

  /** In floating point 100 * 0.07 is a little more than 7. */
  @Test
  void itOpensAtExactlyTheShareOfFailures() {
    BackendBreaker breaker =
        new BackendBreaker(new BreakerSettings(100, 0.07, Duration.ofSeconds(10)), clock);
    for (int i = 0; i < 100; i++) {
      assertThat(breaker.isOpen()).isFalse();
      breaker.ended(breaker.permit(), i >= 7);
    }
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void afterAWhileOneLoadTriesAndItsEndDecides() throws Exception {
    Backend<Integer, String> backend = add(Freshness.FOREVER);
    opens(backend);
    clock.pass(Duration.ofSeconds(10));
    isRefused(ask(backend));
    Replies.Call trial = songs.next();
    isRefused(ask(backend));
    trial.fails();
    isRefused(ask(backend));
    assertThat(songs.quiet()).isTrue();
    clock.pass(Duration.ofSeconds(10));
    load(backend, false);
    assertThat(backend.stats().breakerOpen()).isFalse();
    opens(backend);
  }

  /** Otherwise every trial of a hanging backend would cost a page its whole deadline. */
  @Test
  void noQueryWaitsForATrial() throws Exception {
    Backend<Integer, String> backend = add(Freshness.FOREVER);
    opens(backend);
    clock.pass(Duration.ofSeconds(10));
    isRefused(cache.request().queryOne(backend, 1));
    Replies.Call trial = songs.next();
    assertThat(trial.keys()).containsExactly(1);
    isRefused(cache.request().queryOne(backend, 1));
    trial.with("v");
    assertThat(backend.stats().breakerOpen()).isFalse();
    assertThat(backend.stats().broken()).isEqualTo(2);
    CompletableFuture<String> next = cache.request().queryOne(backend, 1);
    songs.next().with("v");
    assertThat(next).isCompletedWithValue("v1");
  }

  /** Otherwise its permit would never be returned, and the breaker would stay open for ever. */
  @Test
  void aTrialThatNoThreadIsFreeForTimesOut() throws Exception {
    CompletableFuture<Void> hangs = new CompletableFuture<>();
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean up = new AtomicBoolean();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of(
                    "songs",
                    (k, v) -> 10,
                    keys -> {
                      if (calls.incrementAndGet() > SETTINGS.loads()) {
                        hangs.join();
                      }
                      return up.get()
                          ? CompletableFuture.completedFuture(Map.of(keys.get(0), "v"))
                          : CompletableFuture.failedFuture(new IllegalStateException("down"));
                    })
                .with(
                    BackendSettings.DEFAULTS
                        .withTimeOut(Duration.ofMillis(50))
                        .withBreaker(SETTINGS)));
    try {
      while (!backend.stats().breakerOpen()) {
        assertThat(ask(backend)).isCompletedExceptionally();
      }
      int threads = LoadLane.AT_ONCE + LoadLane.MOST_STUCK;
      while (backend.stats().loadTimeOuts() < threads + 3) {
        clock.pass(SETTINGS.openFor());
        isRefused(ask(backend));
      }
      assertThat(calls).hasValue(SETTINGS.loads() + threads);
      up.set(true);
    } finally {
      hangs.complete(null);
    }
    while (backend.stats().breakerOpen()) {
      clock.pass(SETTINGS.openFor());
      CompletableFuture<String> unused = ask(backend);
    }
  }

  /** A write that has failed must not run later. */
  @Test
  void anUncachedQueryIsATrialItself() throws Exception {
    Backend<Integer, String> backend = add(Freshness.FOREVER);
    opens(backend);
    clock.pass(Duration.ofSeconds(10));
    CompletableFuture<?> write = cache.request().queryUncached(backend, List.of(1));
    Replies.Call only = songs.next();
    assertThat(write).isNotDone();
    only.with("v");
    assertThat(write).isCompleted();
    assertThat(songs.quiet()).isTrue();
    assertThat(backend.stats().breakerOpen()).isFalse();
  }

  @Test
  void loadsThatBeganBeforeItOpenedCountNoMore() throws Exception {
    Backend<Integer, String> backend = add(Freshness.FOREVER);
    List<Replies.Call> old = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CompletableFuture<String> unused = ask(backend);
      old.add(songs.next());
    }
    opens(backend);
    clock.pass(Duration.ofSeconds(10));
    load(backend, false);
    assertThat(backend.stats().breakerOpen()).isFalse();
    old.forEach(Replies.Call::fails);
    load(backend, false);
    assertThat(backend.stats().breakerOpen()).as("three of the four last loads failed").isFalse();
    for (boolean fails : new boolean[] {false, true, true}) {
      assertThat(backend.stats().breakerOpen()).isFalse();
      load(backend, fails);
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
  }

  @Test
  void anExpiredValueIsAnsweredWhileItIsOpen() throws Exception {
    Backend<Integer, String> backend =
        add(Freshness.timeToLive(Duration.ofSeconds(1)).withStaleIfError(Duration.ofMinutes(1)));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofSeconds(2));
    opens(backend);
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("old");
    assertThat(songs.quiet()).isTrue();
  }

  @Test
  void withoutSettingsItNeverOpens() throws Exception {
    Backend<Integer, String> backend = cache.add(BackendSpec.of("songs", (k, v) -> 10, songs));
    for (int i = 0; i < 100; i++) {
      load(backend, true);
    }
    assertThat(backend.stats().breakerOpen()).isFalse();
  }
}
