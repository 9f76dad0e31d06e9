/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static dev.manx.client.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loader that cannot read some of its keys. */
@Timeout(60)
class FailedKeysTest {
  private static final IllegalStateException UNREADABLE = new IllegalStateException("unreadable");
  private static final IllegalStateException OTHER = new IllegalStateException("other");

  private final ManualClock clock = new ManualClock();
  private final Scripted loader = new Scripted();
  private FanoutCache cache;
  private Backend<Integer, String> backend;

  private void open(String store) {
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .clock(clock)
            .configure(ConfigNode.parse("settings", "{ store: " + store + " }"))
            .open();
    backend =
        cache.add(
            BackendSpec.<Integer, String>of("songs", (k, v) -> 10, loader)
                .with(
                    BackendSettings.DEFAULTS
                        .withTimeOut(Duration.ofHours(1))
                        .withFreshness(
                            Freshness.timeToLive(Duration.ofMinutes(10))
                                .withRefreshAfter(Duration.ofMinutes(5))
                                .withStaleIfError(Duration.ofHours(1)))));
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private void fail(Map<Integer, String> values, Map<Integer, ? extends Throwable> failed) {
    loader
        .last()
        .answer()
        .completeExceptionally(new CompletionException(new FailedKeysException(values, failed)));
  }

  private CompletableFuture<QueryResults<Integer, String>> each(Integer... keys) {
    return cache.request().queryEach(backend, List.of(keys));
  }

  private CompletableFuture<Map<Integer, String>> all(Integer... keys) {
    return cache.request().query(backend, List.of(keys));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"caffeine", "lru"})
  void onlyTheseKeysFail(String store) throws Exception {
    open(store);
    CompletableFuture<QueryResults<Integer, String>> each = each(1, 2, 3);
    CompletableFuture<Map<Integer, String>> joined = all(1, 3);
    CompletableFuture<Map<Integer, String>> failing = all(1, 2);
    fail(Map.of(1, "one"), Map.of(2, UNREADABLE, 9, OTHER));
    assertThat(get(each).found()).containsExactly(Map.entry(1, "one"));
    assertThat(get(each).failed()).containsExactly(Map.entry(2, UNREADABLE));
    assertThat(get(joined)).containsExactly(Map.entry(1, "one"));
    assertThatThrownBy(() -> get(failing)).hasCause(UNREADABLE);
    assertThat(loader.calls).hasSize(1);
    assertThat(backend.stats().loadFailures()).isEqualTo(1);
    // Asked again, unlike a key that does not exist.
    CompletableFuture<Map<Integer, String>> again = all(1, 2);
    assertThat(loader.last().keys()).containsExactly(2);
    loader.last().answerAll();
    assertThat(get(again)).isEqualTo(Map.of(1, "one", 2, "v2"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void valuesWithFallbacksAreUnmodifiable(boolean failing) {
    open("caffeine");
    Map<Integer, Throwable> failed = failing ? Map.of(2, UNREADABLE) : Map.of();
    Map<Integer, String> all =
        new QueryResults<>(new HashMap<>(Map.of(1, "one")), failed).or((key, why) -> "none");
    assertThat(all).hasSize(failing ? 2 : 1);
    assertThatThrownBy(() -> all.put(3, "three")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void oneThatIsAskedAloneFailsWithItsOwnReason() throws Exception {
    open("caffeine");
    CompletableFuture<Map<Integer, String>> one = all(1);
    fail(Map.of(), Map.of(1, UNREADABLE));
    assertThatThrownBy(() -> get(one)).hasCause(UNREADABLE);
    CompletableFuture<QueryResults<Integer, String>> each = each(1, 2);
    fail(Map.of(), Map.of(1, UNREADABLE, 2, OTHER));
    assertThat(get(each).failed()).isEqualTo(Map.of(1, UNREADABLE, 2, OTHER));
    assertThat(get(each).found()).isEmpty();
  }

  @Test
  void theyAreAnsweredWithExpiredValues() throws Exception {
    open("caffeine");
    CompletableFuture<Map<Integer, String>> first = all(1, 2);
    loader.last().answerAll();
    get(first);
    clock.pass(Duration.ofMinutes(11));
    CompletableFuture<Map<Integer, String>> second = all(1, 2);
    fail(Map.of(1, "new"), Map.of(2, UNREADABLE));
    assertThat(get(second)).isEqualTo(Map.of(1, "new", 2, "v2"));
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
    CompletableFuture<QueryResults<Integer, String>> third = each(2, 3);
    fail(Map.of(), Map.of(2, UNREADABLE, 3, OTHER));
    assertThat(get(third).found()).isEqualTo(Map.of(2, "v2"));
    assertThat(get(third).failed()).isEqualTo(Map.of(3, OTHER));
  }

  @Test
  void aRefreshKeepsTheirValues() throws Exception {
    open("caffeine");
    CompletableFuture<Map<Integer, String>> first = all(1, 2);
    loader.last().answerAll();
    get(first);
    clock.pass(Duration.ofMinutes(6));
    assertThat(get(all(1, 2))).hasSize(2);
    until(() -> loader.calls.size() == 2);
    fail(Map.of(1, "new"), Map.of(2, UNREADABLE));
    assertThat(backend.stats().loadFailures()).isEqualTo(1);
    assertThat(get(all(1, 2))).isEqualTo(Map.of(1, "new", 2, "v2"));
  }
}
