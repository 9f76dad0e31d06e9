/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values being sent to a remote store when their keys are invalidated. */
class RemoteInvalidationTest {
  /** A store whose puts arrive, and are answered, when the test triggers them. */
  private static final class Slow implements Store<Integer, String> {
    private final Map<Integer, String> there = new HashMap<>();
    private final List<Map<Integer, String>> sent = new ArrayList<>();
    private final List<CompletableFuture<Void>> answers = new ArrayList<>();

    void arrives(int put) {
      there.putAll(sent.get(put));
    }

    void answers(int put) {
      answers.get(put).complete(null);
    }

    @Override
    public CompletionStage<Map<Integer, String>> getAll(Collection<? extends Integer> keys) {
      Map<Integer, String> found = new HashMap<>(there);
      found.keySet().retainAll(List.copyOf(keys));
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends Integer, ? extends String> entries) {
      sent.add(new HashMap<>(entries));
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends Integer> keys) {
      there.keySet().removeAll(List.copyOf(keys));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> clear() {
      there.clear();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      return CompletableFuture.completedFuture(bytes);
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private final Slow store = new Slow();
  private final Scripted songs = new Scripted();
  private final FanoutCache cache =
      FanoutCache.builder()
          .drivenByHost()
          .stores(
              new StoreFactory() {
                @Override
                @SuppressWarnings("unchecked")
                public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                  return (Store<K, V>) store;
                }
              })
          .open();
  private final Backend<Integer, String> backend = add("songs", Duration.ofMinutes(5));

  private Backend<Integer, String> add(String name, Duration timeOut) {
    return cache.add(
        BackendSpec.of(name, (Integer k, String v) -> 1, songs)
            .with(BackendSettings.DEFAULTS.withTimeOut(timeOut)));
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private CompletableFuture<String> ask(int key) {
    return cache.request().queryOne(backend, key);
  }

  private CompletableFuture<Void> invalidate(int key) {
    return backend.invalidate(List.of(key)).toCompletableFuture();
  }

  @Test
  void requestsAfterAnInvalidationSeeNoOlderValue() throws Exception {
    CompletableFuture<String> first = ask(1);
    songs.last().answer().complete(Map.of(1, "old"));
    assertThat(first).isCompletedWithValue("old");

    CompletableFuture<Void> forgotten = invalidate(1);
    store.arrives(0);
    assertThat(forgotten.isDone() && store.there.containsKey(1))
        .as("forgotten, though the old value is there")
        .isFalse();
    store.answers(0);
    forgotten.get(20, TimeUnit.SECONDS);
    CompletableFuture<String> second = ask(1);
    assertThat(songs.calls).as("the old value does not answer").hasSize(2);
    songs.last().answer().complete(Map.of(1, "new"));
    assertThat(second).isCompletedWithValue("new");
  }

  @Test
  void severalPutValuesAreSentTogether() throws Exception {
    CompletableFuture<Void> put =
        backend.putAll(Map.of(1, "a", 2, "b", 3, "c")).toCompletableFuture();
    assertThat(store.sent).containsExactly(Map.of(1, "a", 2, "b", 3, "c"));
    CompletableFuture<Void> forgotten = invalidate(2);
    store.arrives(0);
    assertThat(forgotten.isDone() && store.there.containsKey(2))
        .as("forgotten, though the value is there")
        .isFalse();
    store.answers(0);
    put.get(20, TimeUnit.SECONDS);
    forgotten.get(20, TimeUnit.SECONDS);
    assertThat(store.there).containsOnlyKeys(1, 3);
  }

  @Test
  void putsOfOtherKeysAreNotWaitedFor() {
    CompletableFuture<String> one = ask(1);
    songs.last().answerAll();
    CompletableFuture<String> two = ask(2);
    songs.last().answerAll();
    assertThat(invalidate(3)).isCompleted();
    store.answers(1);
    assertThat(invalidate(2)).isCompleted();
    assertThat(invalidate(1)).isNotDone();
    store.answers(0);
    assertThat(invalidate(1)).isCompleted();
    assertThat(one).isCompletedWithValue("v1");
    assertThat(two).isCompletedWithValue("v2");
  }

  @Test
  void aPutThatNeverEndsDoesNotBlockForEver() throws Exception {
    Backend<Integer, String> hasty = add("users", Duration.ofMillis(200));
    CompletableFuture<String> unused = cache.request().queryOne(hasty, 1);
    songs.last().answerAll();
    assertThat(store.sent).containsExactly(Map.of(1, "v1"));
    hasty.invalidate(List.of(1)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(store.there).isEmpty();
  }
}
