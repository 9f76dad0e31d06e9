/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exceptions of a loader that say nothing about its backend: the breaker does not count them. */
@Timeout(60)
class IgnoredExceptionsTest {
  private static final BreakerSettings SETTINGS =
      new BreakerSettings(4, 0.5, Duration.ofSeconds(10));
  private static final Predicate<Throwable> BAD_KEY = IllegalArgumentException.class::isInstance;

  private final ManualClock clock = new ManualClock();
  private final Replies songs = new Replies();
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().clock(clock).open();
  private int nextKey = 100;

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> add(Predicate<Throwable> ignored, Duration timeOut) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
            .with(
                BackendSettings.DEFAULTS
                    .withTimeOut(timeOut)
                    .withBreaker(SETTINGS.withIgnoreException(ignored))));
  }

  private Backend<Integer, String> add(Predicate<Throwable> ignored) {
    return add(ignored, Duration.ofMinutes(5));
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend) {
    return cache.request().queryOne(backend, nextKey++);
  }

  private void fails(Backend<Integer, String> backend, Throwable why) throws Exception {
    CompletableFuture<String> answer = ask(backend);
    songs.next().failsWith(why);
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .rootCause()
        .isSameAs(LoaderCall.bare(why));
  }

  private void answers(Backend<Integer, String> backend) throws Exception {
    CompletableFuture<String> answer = ask(backend);
    songs.next().with("v");
    assertThat(answer).isCompleted();
  }

  @Test
  void theyNeitherOpenItNorKeepItClosed() throws Exception {
    Backend<Integer, String> backend = add(BAD_KEY);
    for (int i = 0; i < 100; i++) {
      fails(backend, new IllegalArgumentException("bad key"));
    }
    assertThat(backend.stats().breakerOpen()).isFalse();
    assertThat(backend.stats().loadFailures()).isEqualTo(100);
    for (int i = 0; i < 2; i++) {
      assertThat(backend.stats().breakerOpen()).isFalse();
      fails(backend, new IllegalStateException("down"));
      fails(backend, new IllegalArgumentException("bad key"));
      answers(backend);
    }
    assertThat(backend.stats().breakerOpen()).as("two of four that count have failed").isTrue();
  }

  /** It says nothing about the backend, so it may neither close the breaker nor cost a wait. */
  @Test
  void afterATrialThatIsIgnoredTheNextLoadIsTheTrial() throws Exception {
    Backend<Integer, String> backend = add(BAD_KEY);
    for (int i = 0; i < SETTINGS.loads(); i++) {
      fails(backend, new IllegalStateException("down"));
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
    clock.pass(SETTINGS.openFor());
    assertThat(ask(backend)).isCompletedExceptionally();
    songs.next().failsWith(new IllegalArgumentException("bad key"));
    assertThat(backend.stats().breakerOpen()).isTrue();
    assertThat(ask(backend)).isCompletedExceptionally();
    songs.next().with("v");
    assertThat(backend.stats().breakerOpen()).isFalse();
  }

  /** No exception of the loader, so the predicate has no say. */
  @Test
  void aLoaderThatAnswersNullCountsAsFailed() throws Exception {
    Backend<Integer, String> backend = add(error -> true);
    for (int i = 0; i < SETTINGS.loads(); i++) {
      CompletableFuture<String> answer = ask(backend);
      songs.next().answers(null);
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("returned null");
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
  }

  /** The backend has answered for the other keys. */
  @Test
  void aTrialThatFailsForSomeKeysOnlyClosesTheBreaker() throws Exception {
    Backend<Integer, String> backend = add(error -> !(error instanceof IllegalStateException));
    for (int i = 0; i < SETTINGS.loads(); i++) {
      fails(backend, new IllegalStateException("down"));
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
    clock.pass(SETTINGS.openFor());
    cache.request().queryEach(backend, List.of(1, 2));
    songs
        .next()
        .failsWith(
            new FailedKeysException(
                Map.of(1, "v"), Map.of(2, new IllegalArgumentException("unreadable"))));
    assertThat(backend.stats().breakerOpen()).isFalse();
  }

  @Test
  void aPredicateThatFailsIgnoresNothing() throws Exception {
    for (Throwable own : List.of(new IllegalStateException("bug"), new AssertionError("bug"))) {
      Backend<Integer, String> backend =
          add(
              error -> {
                if (own instanceof Error e) {
                  throw e;
                }
                throw (RuntimeException) own;
              });
      for (int i = 0; i < SETTINGS.loads(); i++) {
        assertThat(backend.stats().breakerOpen()).isFalse();
        fails(backend, new IllegalArgumentException("bad key"));
      }
      assertThat(backend.stats().breakerOpen()).isTrue();
      cache.remove(backend);
    }
  }

  @Test
  void thePredicateSeesTheLoadersOwnExceptionsAndNoOthers() throws Exception {
    List<Throwable> seen = new ArrayList<>();
    Backend<Integer, String> backend =
        add(
            error -> {
              seen.add(error);
              return false;
            });
    List<Throwable> own = new ArrayList<>();
    for (int i = 0; i < SETTINGS.loads(); i++) {
      own.add(new IllegalArgumentException("bad key " + i));
      fails(backend, new CompletionException(own.get(i)));
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
    assertThat(ask(backend)).isCompletedExceptionally();
    assertThat(seen).isEqualTo(own);
  }

  @Test
  void timeOutsAlwaysCount() throws Exception {
    Backend<Integer, String> backend = add(error -> true, Duration.ofMillis(1));
    for (int i = 0; i < SETTINGS.loads(); i++) {
      assertThat(backend.stats().breakerOpen()).isFalse();
      CompletableFuture<String> answer = ask(backend);
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
  }

  /** A load that times out before it gets a thread is cancelled, not by its loader. */
  @Test
  void thePredicateDoesNotSeeTheCancellationOfALoadThatNeverBegan() {
    List<Throwable> seen = new CopyOnWriteArrayList<>();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of(
                    "songs", (k, v) -> 10, Loader.on(task -> {}, keys -> Map.of()))
                .with(
                    BackendSettings.DEFAULTS
                        .withTimeOut(Duration.ofMillis(1))
                        .withBreaker(SETTINGS.withIgnoreException(seen::add))));
    for (int i = 0; i < SETTINGS.loads(); i++) {
      assertThat(backend.stats().breakerOpen()).isFalse();
      CompletableFuture<String> answer = ask(backend);
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
    assertThat(seen).isEmpty();
  }

  /** A file cannot contain it. */
  @Test
  void aFileWithOtherSettingsOfTheBreakerKeepsThePredicate() {
    BreakerSettings breaker = SETTINGS.withIgnoreException(BAD_KEY);
    String text = "backends: { songs: { breaker: { open-for: 3s } } }";
    try (FanoutCache configured =
        FanoutCache.builder()
            .drivenByHost()
            .configure(ConfigNode.parse("cache.yaml", text))
            .open()) {
      Backend<Integer, String> backend =
          configured.add(
              BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
                  .with(BackendSettings.DEFAULTS.withBreaker(breaker)));
      assertThat(backend.settings().breaker())
          .isEqualTo(breaker.withOpenFor(Duration.ofSeconds(3)));
    }
  }
}
