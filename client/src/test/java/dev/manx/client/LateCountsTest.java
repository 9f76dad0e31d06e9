/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each key of a query that times out counts once. */
@Timeout(60)
class LateCountsTest extends ScriptedCache {
  private static final class Page extends FanoutRequest {
    Page(FanoutCache cache) {
      super(cache, 0);
    }

    @Override
    long ended(Query<?, ?> query) {
      return 1;
    }
  }

  /** A key that runs something when the store looks for it. */
  private record Watched(int id, AtomicReference<Runnable> once) {
    @Override
    public int hashCode() {
      Runnable next = once.getAndSet(null);
      if (next != null) {
        next.run();
      }
      return id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Watched watched && watched.id == id;
    }
  }

  @Test
  void anAnswerThatArrivesDuringTheTimeOut() {
    CompletableFuture<Map<Watched, String>> loaded = new CompletableFuture<>();
    Watched key = new Watched(1, new AtomicReference<>());
    Backend<Watched, String> backend =
        cache.add(
            BackendSpec.<Watched, String>of("songs", (k, v) -> 100, keys -> loaded)
                .with(
                    PATIENT.withFreshness(
                        Freshness.timeToLive(Duration.ofHours(1))
                            .withStaleIfError(Duration.ofHours(1)))));
    Query<Watched, String> query = query(backend);
    query.misses(List.of(key));
    query.load(List.of(key));
    key.once.set(() -> loaded.complete(Map.of(key, "v1")));
    query.late(new TimeoutException("the deadline"));
    assertThat(loaded).as("the store was looked into").isCompleted();
    assertThat(recent().misses(0)).isEqualTo(1);
  }

  @Test
  void someKeysAfterOthersTimedOut() {
    Backend<Integer, String> backend = add("songs", songs, PATIENT);
    CompletableFuture<?> other = cache.request().queryEach(backend, List.of(1, 2, 3));
    Map<Integer, Throwable> failed = new HashMap<>();
    Query<Integer, String> query = query(backend);
    query.each(List.of(1, 2, 3, 4, 5, 6), failed);
    query.misses(List.of(1, 2, 3, 4, 5, 6));
    query.load(List.of(1, 2, 3, 4, 5, 6));
    songs.calls.get(0).answer().completeExceptionally(new TimeoutException("slow"));
    assertThat(other).isCompleted();
    assertThat(recent().misses(0)).isEqualTo(3);
    query.late(new TimeoutException("the deadline"));
    assertThat(failed).hasSize(6);
    assertThat(recent().misses(0)).isEqualTo(3 + 6);
  }

  private <K> Query<K, String> query(Backend<K, String> backend) {
    return new Query<>(new Page(cache), backend, 0, new HashMap<>(), 0, true);
  }
}
