/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One network thread answers for all backends, of which one has a codec that blocks. */
@Timeout(60)
class SlowCodecTest {
  private static final int QUERIES = 40;

  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch blocked = new CountDownLatch(1);
  private FanoutCache cache;

  /** Texts; blocks while it encodes or decodes some. */
  private final class Texts implements Codec<Integer, String> {
    private final String slowToEncode;
    private final String slowToDecode;

    Texts(String slowToEncode, String slowToDecode) {
      this.slowToEncode = slowToEncode;
      this.slowToDecode = slowToDecode;
    }

    private void awaitIf(boolean slow) {
      if (slow) {
        blocked.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public String key(Integer key) {
      return key.toString();
    }

    @Override
    public byte[] encode(String value) {
      awaitIf(value.equals(slowToEncode));
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(Integer key, byte[] bytes) {
      String value = new String(bytes, StandardCharsets.UTF_8);
      awaitIf(value.equals(slowToDecode));
      return value;
    }
  }

  private void open(String policy) {
    cache =
        FanoutCache.builder()
            .configure(ConfigNode.parse("settings", "{ capacity: 1MiB, policy: " + policy + " }"))
            .stores(
                new StoreFactory() {
                  @Override
                  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                    FakeLink link = new FakeLink();
                    link.answersOn(network);
                    return RemoteStore.open(
                        spec, link, RemoteSettings.standard().withTimeout(Duration.ofSeconds(50)));
                  }
                })
            .drivenByHost()
            .open();
  }

  private Backend<Integer, String> add(String name, Texts codec) {
    return cache.add(
        BackendSpec.<Integer, String>of(
                name,
                (key, value) -> 100,
                keys -> CompletableFuture.completedFuture(Map.of(1, "loaded")))
            .with(codec));
  }

  private static void put(Backend<Integer, String> backend, String value) throws Exception {
    backend.put(1, value).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend) {
    return cache.request().queryOne(backend, 1);
  }

  @AfterEach
  void close() {
    released.countDown();
    if (cache != null) {
      cache.close();
    }
    network.shutdown();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aCodecThatDecodesSlowlyDelaysNoOtherBackend(String policy) throws Exception {
    open(policy);
    Backend<Integer, String> slow = add("slow", new Texts("", "slow"));
    Backend<Integer, String> quick = add("quick", new Texts("", ""));
    put(slow, "slow");
    put(quick, "quick");
    List<CompletableFuture<String>> waiting = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      waiting.add(ask(slow));
    }
    blocked.await();
    assertThat(ask(quick).get(20, TimeUnit.SECONDS)).isEqualTo("quick");
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    released.countDown();
    for (CompletableFuture<String> each : waiting) {
      assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("slow");
    }
  }

  /** The second put waits until the first has been answered. */
  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aCodecThatEncodesSlowlyDelaysNoOtherBackend(String policy) throws Exception {
    open(policy);
    Backend<Integer, String> slow = add("slow", new Texts("slow", ""));
    Backend<Integer, String> quick = add("quick", new Texts("", ""));
    put(quick, "quick");
    CountDownLatch asked = new CountDownLatch(1);
    network.execute(() -> await(asked));
    CompletableFuture<Void> first = slow.put(1, "first").toCompletableFuture();
    CompletableFuture<Void> second = slow.put(1, "slow").toCompletableFuture();
    asked.countDown();
    first.get(20, TimeUnit.SECONDS);
    blocked.await();
    assertThat(ask(quick).get(20, TimeUnit.SECONDS)).isEqualTo("quick");
    assertThat(second).isNotDone();
    released.countDown();
    second.get(20, TimeUnit.SECONDS);
    assertThat(ask(slow).get(20, TimeUnit.SECONDS)).isEqualTo("slow");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
