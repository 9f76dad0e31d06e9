/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of writes to a remote store, whatever order their threads run in. */
@Timeout(60)
class RemoteWritesTest {
  private final List<String> written = new ArrayList<>();
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

  private final Store<Integer, String> store =
      new EmptyStore<>() {
        @Override
        public CompletionStage<Void> putAll(Map<? extends Integer, ? extends String> entries) {
          written.add("put " + entries.keySet());
          return answer;
        }

        @Override
        public CompletionStage<Void> invalidateAll(Collection<? extends Integer> keys) {
          written.add("invalidate " + keys);
          return answer;
        }

        @Override
        public void drop(Collection<? extends Integer> keys) {
          written.add("drop " + keys);
        }
      };

  private final RemoteWrites<Integer, String> writes =
      new RemoteWrites<>(
          store,
          new BackendCounters("songs"),
          (nanos, task) -> () -> {},
          Duration.ofMinutes(1).toNanos(),
          threads::add);

  /** Runs the threads' tasks, the last one first. */
  private void settle() {
    while (!threads.isEmpty()) {
      threads.removeLast().run();
    }
  }

  @Test
  void aKeyThatALoadDidNotFindIsDroppedBeforeALaterPut() {
    CompletableFuture<Void> before = new CompletableFuture<>();
    answer = before;
    CompletionStage<Void> earlier = writes.put(Map.of(1, "earlier"));
    LoaderCall<Integer, String> load = new LoaderCall<>(true, 2, null);
    load.keys.addAll(List.of(1, 2));
    writes.keep(
        load,
        gone -> {
          gone.add(2);
          return Map.of(1, "loaded");
        });
    CompletionStage<Void> later = writes.put(Map.of(2, "later"));
    answer = CompletableFuture.completedFuture(null);
    before.complete(null);
    settle();
    assertThat(earlier).isCompleted();
    assertThat(later).isCompleted();
    assertThat(written)
        .containsExactly(
            "invalidate [1]", "put [1]", "drop [2]", "put [1]", "invalidate [2]", "put [2]");
  }
}
