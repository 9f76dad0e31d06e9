/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that ends after it has closed its cache leaves its servers to a successor. */
@Timeout(60)
class ReleaseTest {
  private static final Codec<Integer, String> CODEC =
      new Codec<>() {
        @Override
        public String key(Integer key) {
          return key.toString();
        }

        @Override
        public byte[] encode(String value) {
          return new byte[0];
        }

        @Override
        public String decode(Integer key, byte[] bytes) {
          return "";
        }
      };

  private final FakeLink link = new FakeLink();

  private FanoutCache open(String policy, Duration timeout) {
    FanoutCache cache =
        FanoutCache.builder()
            .configure(ConfigNode.parse("settings", "{ capacity: 1MiB, policy: " + policy + " }"))
            .stores(
                new StoreFactory() {
                  @Override
                  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                    return RemoteStore.open(
                        spec, link, RemoteSettings.standard().withTimeout(timeout));
                  }
                })
            .drivenByHost()
            .open();
    cache.add(
        BackendSpec.<Integer, String>of(
                "songs", (k, v) -> 10, keys -> CompletableFuture.completedFuture(Map.of()))
            .with(CODEC));
    return cache;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void closingACacheWaitsUntilItsInstancesAreReleased(String policy) {
    link.releasesAfter(() -> LockSupport.parkNanos(50_000_000));
    open(policy, Duration.ofMinutes(1)).close();
    assertThat(link.isReleased()).isTrue();
  }

  @Test
  void anInstanceThatDoesNotAnswerIsNotWaitedForForEver() {
    CountDownLatch never = new CountDownLatch(1);
    link.releasesAfter(
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    open("cache.robinhood", Duration.ofMillis(5)).close();
    assertThat(link.isReleased()).isFalse();
    never.countDown();
  }
}
