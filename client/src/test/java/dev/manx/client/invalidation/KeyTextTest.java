/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.Logged;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys without a text form, invalidated on one of two servers. */
@Timeout(60)
class KeyTextTest {
  private static final KeyText<Integer> PARTIAL =
      KeyText.of(
          key -> {
            if (key == 13) {
              throw new IllegalStateException("asked to fail");
            }
            return key == 14 ? null : key.toString();
          },
          Integer::valueOf);

  /** Delivers one message after the other, on a separate thread. */
  private final class Line implements InvalidationChannel {
    @Override
    public void open(Listener listener) {
      listeners.add(listener);
    }

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      return CompletableFuture.runAsync(
          () -> listeners.forEach(listener -> listener.received(message)), network);
    }

    @Override
    public void close() {}
  }

  private final List<InvalidationChannel.Listener> listeners = new CopyOnWriteArrayList<>();
  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final FanoutCache one = cache();
  private final FanoutCache two = cache();
  private final Backend<Integer, String> here = add(one);
  private final Backend<Integer, String> there = add(two);

  @AfterEach
  void close() {
    one.close();
    two.close();
    network.shutdown();
  }

  private FanoutCache cache() {
    return FanoutCache.builder().drivenByHost().invalidations(new Line()).open();
  }

  private static Backend<Integer, String> add(FanoutCache cache) {
    return cache.add(
        BackendSpec.<Integer, String>of(
                "songs", (k, v) -> 1, keys -> CompletableFuture.completedFuture(Map.of()))
            .with(PARTIAL));
  }

  private static boolean isConnected(FanoutCache cache) {
    return cache.stats().invalidations().connected() && cache.stats().invalidations().peers() == 1;
  }

  private static String look(Backend<Integer, String> backend, int key) throws Exception {
    return backend.getIfPresent(key).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 14})
  void theyEmptyTheBackendElsewhere(int key) throws Exception {
    // Once both receive their own and each other's messages, no more removals follow.
    while (!isConnected(one) || !isConnected(two)) {
      Thread.onSpinWait();
    }
    there.put(1, "v").toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(look(there, 1)).isEqualTo("v");
    here.invalidate(List.of(2, key)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(look(there, 1)).as("all are forgotten, without a gap").isNull();
    assertThat(two.stats().invalidations().gaps()).isZero();
    assertThat(one.stats().invalidations().coarse()).isEqualTo(1);
  }

  /** The others remove more than was invalidated, so it must be visible. */
  @Test
  void backendsWithoutATextOfKeysAreLoggedAndTheirInvalidationsCounted() throws Exception {
    List<Backend<Integer, String>> added = new ArrayList<>();
    String logged =
        Logged.during(
            () ->
                added.add(
                    one.add(
                        BackendSpec.<Integer, String>of(
                            "users",
                            (k, v) -> 1,
                            keys -> CompletableFuture.completedFuture(Map.of())))));
    assertThat(logged).contains("backend users has no KeyText");
    Backend<Integer, String> users = added.get(0);
    users.invalidateAll().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(one.stats().invalidations().coarse()).isZero();
    users.invalidate(List.of(1, 2)).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(one.stats().invalidations().coarse()).isEqualTo(1);
    users.put(3, "v").toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(one.stats().invalidations().coarse()).isEqualTo(2);
  }
}
