/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that are refreshed before they expire. */
@Timeout(60)
class RefreshTest extends AgingCache {
  /** Age from which an entry is refreshed. */
  private static final Duration DUE = Duration.ofSeconds(20);

  private static final BackendSettings REFRESHED = with(MINUTE.withRefreshAfter(DUE));

  /** Answers the first load; the value of key 1 is {@code old1}. */
  private void loaded(CompletableFuture<?> first) throws Exception {
    songs.next().with("old");
    get(first);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dueKeysAreAnsweredAtOnceAndReadAgainTogether(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, REFRESHED);
    loaded(ask(backend, keys(100)));
    clock.pass(DUE);
    assertThat(ask(backend, keys(100))).isCompleted();
    assertThat(ask(backend, keys(100))).isCompleted();
    Replies.Call refresh = songs.next();
    List<Integer> read = new ArrayList<>(refresh.keys());
    assertThat(ask(backend, 7)).isCompletedWithValue("old7");
    refresh.with("new");
    if (read.size() < 100) {
      // Queried after the two milliseconds; they waited together until the first load had ended.
      Replies.Call rest = songs.next();
      read.addAll(rest.keys());
      rest.with("new");
    }
    assertThat(read).containsExactlyInAnyOrderElementsOf(keys(100));
    assertThat(ask(backend, 7)).isCompletedWithValue("new7");
    clock.pass(Duration.ofSeconds(19));
    assertThat(ask(backend, keys(100))).isCompleted();
    assertThat(songs.quiet()).isTrue();
    assertThat(backend.stats().refreshes()).isEqualTo(100);
    assertThat(backend.stats().misses()).isEqualTo(100);
    assertThat(backend.stats().hits()).isEqualTo(302);
  }

  @Test
  void theControllerSeesNoRefreshes() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(MINUTE.withRefreshAfter(Duration.ofSeconds(1))));
    loaded(ask(backend, 1));
    clock.pass(Duration.ofSeconds(2));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().with("new");
    cache.tick();
    assertThat(cache.recent().misses(0)).isEqualTo(1);
    assertThat(cache.recent().hits(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefreshThatFailsLeavesTheEntryAndIsTriedAgainLater(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, REFRESHED.withTimeOut(Duration.ofSeconds(5)));
    loaded(ask(backend, List.of(1, 2)));
    clock.pass(DUE);
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().fails();
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    clock.pass(Duration.ofSeconds(4));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    assertThat(ask(backend, 2)).isCompletedWithValue("old2");
    Replies.Call other = songs.next();
    assertThat(other.keys()).as("the other key alone").containsExactly(2);
    other.with("new");
    clock.pass(Duration.ofSeconds(1));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().with("new");
    assertThat(ask(backend, 1)).isCompletedWithValue("new1");
    assertThat(backend.stats().loadFailures()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefreshThatFindsNothingForgetsTheEntry(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, REFRESHED);
    loaded(ask(backend, 1));
    clock.pass(DUE);
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().answers(Map.of());
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInvalidationDuringARefreshWins(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, REFRESHED);
    loaded(ask(backend, 1));
    clock.pass(DUE);
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    Replies.Call refresh = songs.next();
    assertThat(backend.invalidate(List.of(1))).isCompleted();
    refresh.with("read before");
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLookIntoTheCacheStartsNoRefresh(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, REFRESHED);
    assertThat(backend.put(1, "old")).isCompleted();
    assertThat(backend.put(2, "old")).isCompleted();
    clock.pass(DUE);
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("old");
    assertThat(ask(backend, 2)).isCompletedWithValue("old");
    Replies.Call refresh = songs.next();
    assertThat(refresh.keys()).containsExactly(2);
    refresh.with("new");
    assertThat(ask(backend, 1)).isCompletedWithValue("old");
    assertThat(songs.next().keys()).as("due all the same").containsExactly(1);
  }
}
