/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.Freshness;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.TextCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that a backend does not have, queried through a remote store with slow deletes. */
@Timeout(60)
class AbsentKeysTest {
  private static final int MANY = 2 * Unconfirmed.MOST;

  private static final Codec<Integer, String> BYTES = new TextCodec();

  private final FakeLink link = new FakeLink();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private FanoutCache cache;

  @AfterEach
  void close() {
    released.complete(null);
    cache.close();
  }

  private Backend<Integer, String> open(Freshness freshness) {
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .stores(
                new StoreFactory() {
                  @Override
                  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                    return RemoteStore.open(
                        spec, link, RemoteSettings.standard().withTimeout(Duration.ofSeconds(20)));
                  }
                })
            .open();
    return cache.add(
        BackendSpec.<Integer, String>of(
                "songs", (k, v) -> 10, keys -> CompletableFuture.completedFuture(Map.of()))
            .with(BackendSettings.DEFAULTS.withFreshness(freshness))
            .with(BYTES));
  }

  private void keepsTheOthers(Freshness freshness) throws Exception {
    Backend<Integer, String> backend = open(freshness);
    backend.put(-1, "kept").toCompletableFuture().get(20, TimeUnit.SECONDS);
    int before = link.deleteCommands();
    link.deletesWaitFor(released);
    List<Integer> absent = IntStream.range(0, MANY).boxed().toList();
    assertThat(cache.request().query(backend, absent).get(20, TimeUnit.SECONDS)).isEmpty();
    released.complete(null);
    assertThat(backend.getIfPresent(-1).toCompletableFuture().get(20, TimeUnit.SECONDS))
        .isEqualTo("kept");
    assertThat(link.deleteCommands() - before).isLessThanOrEqualTo(MANY / 50);
    assertThat(backend.stats().storeFailures()).isZero();
  }

  @Test
  void doNotEmptyTheStore() throws Exception {
    keepsTheOthers(Freshness.timeToLive(Duration.ofMinutes(1)));
  }

  @Test
  void doNotEmptyTheStoreWhereOldValuesMayAnswerEither() throws Exception {
    keepsTheOthers(
        Freshness.timeToLive(Duration.ofMinutes(1)).withStaleIfError(Duration.ofMinutes(1)));
  }
}
