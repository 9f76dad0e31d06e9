/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often a remote store is asked while the backend fails. */
@Timeout(60)
class StoreLookUpsTest {
  private static final Duration DUE = Duration.ofSeconds(20);
  private static final Freshness REFRESHED = AgingCache.MINUTE.withRefreshAfter(DUE);

  private final ManualClock clock = new ManualClock();
  private final Replies songs = new Replies();
  private final AtomicInteger operations = new AtomicInteger();
  private final FanoutCache cache =
      FanoutCache.builder()
          .drivenByHost()
          .clock(clock)
          .stores(
              Elsewhere.factory(
                  operation -> {
                    operations.incrementAndGet();
                    operation.run();
                  }))
          .open();

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> add(Freshness freshness) {
    BreakerSettings oneFailure = new BreakerSettings(1, 0.5, Duration.ofSeconds(10));
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
            .with(AgingCache.with(freshness).withBreaker(oneFailure))
            .with(AgingCache.BYTES));
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend, int key) {
    return cache.request().queryOne(backend, key);
  }

  private void opens(Backend<Integer, String> backend) throws Exception {
    CompletableFuture<String> failed = ask(backend, 9);
    songs.next().fails();
    assertThat(failed).isCompletedExceptionally();
    assertThat(backend.stats().breakerOpen()).isTrue();
    operations.set(0);
  }

  /** A hit that is due for a refresh, and the refresh's call. */
  private Replies.Call refresh(Backend<Integer, String> backend) throws Exception {
    CompletableFuture<String> first = ask(backend, 1);
    songs.next().with("old");
    assertThat(first).isCompletedWithValue("old1");
    clock.pass(DUE);
    operations.set(0);
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    return songs.next();
  }

  /** Otherwise each query of an outage would wait for the store twice. */
  @Test
  void onceIfExpiredValuesAreNotAnswered() throws Exception {
    Backend<Integer, String> backend = add(REFRESHED);
    opens(backend);
    assertThat(ask(backend, 1)).isCompletedExceptionally();
    assertThat(operations).hasValue(1);
  }

  @Test
  void onceMoreForExpiredValues() throws Exception {
    Backend<Integer, String> backend = add(REFRESHED.withStaleIfError(Duration.ofHours(1)));
    opens(backend);
    assertThat(ask(backend, 1)).isCompletedExceptionally();
    assertThat(operations).hasValue(2);
  }

  @Test
  void notForARefreshThatFails() throws Exception {
    Backend<Integer, String> backend = add(REFRESHED.withStaleIfError(Duration.ofHours(1)));
    refresh(backend).fails();
    assertThat(operations).as("the hit alone").hasValue(1);
  }

  @Test
  void forARefreshThatAQueryHasJoined() throws Exception {
    Backend<Integer, String> backend = add(REFRESHED.withStaleIfError(Duration.ofHours(1)));
    Replies.Call refresh = refresh(backend);
    clock.pass(Duration.ofMinutes(1));
    CompletableFuture<String> joined = ask(backend, 1);
    assertThat(joined).isNotDone();
    refresh.fails();
    assertThat(joined).isCompletedWithValue("old1");
    assertThat(operations).as("a hit, a miss and a look for expired values").hasValue(3);
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
  }
}
