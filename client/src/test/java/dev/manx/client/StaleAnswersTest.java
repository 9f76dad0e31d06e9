/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expired values that are answered while a backend fails or is late. */
@Timeout(60)
class StaleAnswersTest extends AgingCache {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExpiredValueIsAnsweredWhileTheBackendFails(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    CompletableFuture<?> first = ask(backend, 1);
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<String> stale = ask(backend, 1);
    assertThat(stale).isNotDone();
    songs.next().fails();
    assertThat(get(stale)).isEqualTo("old1");
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
    assertThat(backend.stats().misses()).isEqualTo(2);

    CompletableFuture<Map<Integer, String>> both = ask(backend, List.of(1, 2));
    songs.next().fails();
    assertThatThrownBy(() -> get(both)).hasMessageContaining("down");

    clock.pass(Duration.ofMinutes(6));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
  }

  @Test
  void aTimeOutIsAnsweredByAnExpiredValueToo() throws Exception {
    Backend<Integer, String> backend =
        open(
            true,
            with(MINUTE.withStaleIfError(Duration.ofMinutes(10)))
                .withTimeOut(Duration.ofMillis(30)));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    assertThat(get(ask(backend, 1))).isEqualTo("old");
    assertThat(backend.stats().loadTimeOuts()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKeyWithoutAnOldValueFailsForItselfAlone(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<QueryResults<Integer, String>> both =
        cache.request().queryEach(backend, List.of(1, 2));
    songs.next().fails();
    assertThat(get(both).found()).containsExactly(Map.entry(1, "old"));
    assertThat(get(both).failed()).containsOnlyKeys(2);
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
  }

  @Test
  void aRequestsDeadlineIsMetWithExpiredValues() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    FanoutRequest request = cache.request(Duration.ofMillis(30));
    CompletableFuture<String> stale = request.queryOne(backend, 1);
    CompletableFuture<QueryResults<Integer, String>> each =
        request.queryEach(backend, List.of(1, 2));
    CompletableFuture<String> never = request.queryOne(backend, 2);
    assertThat(get(stale)).isEqualTo("old");
    assertThat(get(each).found()).containsExactly(Map.entry(1, "old"));
    assertThat(get(each).failed()).containsOnlyKeys(2);
    assertThatThrownBy(() -> get(never))
        .hasMessageContaining(
            "backend songs did not answer before the request's deadline of 30 ms");
    assertThat(backend.stats().loadTimeOuts()).isZero();
  }

  @Test
  void anEntryThatWasNotAskedForIsNoAnswerWhileTheBackendFails() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1))));
    assertThat(backend.put(1, "idle")).isCompleted();
    clock.pass(Duration.ofMinutes(1));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
    assertThat(backend.stats().staleAnswers()).isZero();
  }

  @Test
  void anEntryThatWasNotAskedForIsAnOldValueAsLongAsAnExpiredOne() throws Exception {
    Backend<Integer, String> backend =
        open(
            true,
            with(
                Freshness.timeToLive(Duration.ofHours(1))
                    .withIdleTime(Duration.ofMinutes(1))
                    .withStaleIfError(Duration.ofMinutes(5))));
    assertThat(backend.put(1, "idle")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<String> stale = ask(backend, 1);
    songs.next().fails();
    assertThat(get(stale)).isEqualTo("idle");
    clock.pass(Duration.ofMinutes(1));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
  }

  @Test
  void oldValuesNeedATimeToLive() {
    BackendSettings never = with(Freshness.FOREVER.withStaleIfError(Duration.ofHours(1)));
    assertThatThrownBy(() -> open(true, never))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "backend songs: stale-if-error = 1h is invalid; allowed: 0 without a time-to-live");
    cache.close();
    assertThat(open(true, never, (key, value) -> Duration.ofMinutes(1)).name()).isEqualTo("songs");
  }
}
