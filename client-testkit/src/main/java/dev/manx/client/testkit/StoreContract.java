/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The guarantees of every store. A subclass opens one. Values contain their key, so that a wrong
 * answer is detected.
 */
@Timeout(120)
@Tag("contract")
public abstract class StoreContract {
  /** Bytes of one value's payload. */
  protected static final int VALUE_BYTES = 1_000;

  /** Puts and look-ups between two changes of a store's size. */
  private static final int USES_PER_SIZE = 50;

  private Store<String, byte[]> store;

  /** Opens an empty store. */
  protected abstract Store<String, byte[]> open(StoreSpec<String, byte[]> spec) throws Exception;

  /** The first share; at least twice the smallest. */
  protected long shareBytes() {
    return 16L << 20;
  }

  /**
   * Factor by which {@code usedBytes} may exceed the share: slabs, fragmentation, pending
   * maintenance.
   */
  protected double slack() {
    return 1.10;
  }

  /** Text keys, byte values. */
  protected static Codec<String, byte[]> codec() {
    return new Bytes();
  }

  /** A value that names its key. */
  protected static byte[] value(String key, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(key.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** The result of a stage, which completes within 20 s. */
  protected static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** The store under test. */
  protected final Store<String, byte[]> store() {
    return store;
  }

  @BeforeEach
  void openStore() throws Exception {
    store =
        open(
            new StoreSpec<>(
                "b1", shareBytes(), (k, v) -> k.length() + v.length, Optional.of(codec())));
  }

  @AfterEach
  void closeStore() {
    // It may have failed to open.
    if (store != null) {
      store.close();
    }
  }

  private void fill(int from, int to) throws Exception {
    for (int i = from; i < to; i += 100) {
      Map<String, byte[]> batch = new HashMap<>();
      for (int k = i; k < Math.min(to, i + 100); k++) {
        batch.put("k" + k, value("k" + k, VALUE_BYTES));
      }
      await(store.putAll(batch));
    }
  }

  private void hasOnlyRightValues(Map<String, byte[]> found) {
    found.forEach((k, v) -> assertThat(v).as(k).isEqualTo(value(k, v.length)));
  }

  @Test
  void opensEmptyWithItsShare() throws Exception {
    assertThat(await(store.getAll(List.of("a", "b")))).isEmpty();
    assertThat(store.allocatedBytes()).isEqualTo(shareBytes());
    assertThat(store.isDegraded()).isFalse();
    assertThat(store.failures()).isZero();
  }

  @Test
  void findsWhatWasPutAndOnlyThat() throws Exception {
    fill(0, 300);
    List<String> keys = new ArrayList<>();
    for (int i = 200; i < 400; i++) {
      keys.add("k" + i);
    }
    Map<String, byte[]> found = await(store.getAll(keys));
    assertThat(found).hasSize(100).doesNotContainKey("k300");
    hasOnlyRightValues(found);
    assertThat(await(store.getAll(List.of()))).isEmpty();
    await(store.putAll(Map.of()));
  }

  @Test
  void theLastPutWins() throws Exception {
    await(store.putAll(Map.of("k1", value("x", 10))));
    await(store.putAll(Map.of("k1", value("k1", 500))));
    assertThat(await(store.getAll(List.of("k1"))).get("k1")).isEqualTo(value("k1", 500));
  }

  @Test
  void forgetsWhatIsInvalidated() throws Exception {
    fill(0, 10);
    await(store.invalidateAll(List.of("k3", "k4", "never")));
    Map<String, byte[]> found = await(store.getAll(List.of("k2", "k3", "k4", "k5")));
    assertThat(found).containsOnlyKeys("k2", "k5");
  }

  @Test
  void forgetsEverything() throws Exception {
    fill(0, 100);
    await(store.clear());
    assertThat(found(100)).isZero();
    fill(0, 10);
    assertThat(found(100)).isEqualTo(10);
  }

  @Test
  void keepsValuesThatMayGoLater() throws Exception {
    await(store.putAll(Map.of("k1", value("k1", 10), "k2", value("k2", 10)), Duration.ofHours(1)));
    assertThat(await(store.getAll(List.of("k1", "k2")))).containsOnlyKeys("k1", "k2");
  }

  @Test
  void keepsToItsShare() throws Exception {
    int entries = (int) (shareBytes() / VALUE_BYTES * 3);
    fill(0, entries);
    assertThat(store.usedBytes()).isPositive().isLessThan((long) (shareBytes() * slack()));
    assertThat(found(entries)).isBetween(1, (int) (shareBytes() * slack() / VALUE_BYTES));
  }

  private int found(int entries) throws Exception {
    int found = 0;
    for (int i = 0; i < entries; i += 100) {
      List<String> keys = new ArrayList<>();
      for (int k = i; k < Math.min(entries, i + 100); k++) {
        keys.add("k" + k);
      }
      Map<String, byte[]> here = await(store.getAll(keys));
      hasOnlyRightValues(here);
      found += here.size();
    }
    return found;
  }

  @Test
  void shrinksWhenFullAndThenGrows() throws Exception {
    int entries = (int) (shareBytes() / VALUE_BYTES * 2);
    fill(0, entries);
    int before = found(entries);
    long half = Math.max(store.minimumBytes(), shareBytes() / 2);
    assertThat(resizeTo(half)).isEqualTo(half);
    assertThat(store.allocatedBytes()).isEqualTo(half);
    assertThat(store.usedBytes()).isLessThan((long) (half * slack()));
    assertThat(found(entries)).isBetween(1, before - 1);

    assertThat(resizeTo(shareBytes())).isEqualTo(shareBytes());
    fill(0, entries);
    assertThat(store.usedBytes()).isGreaterThan(half);
  }

  /** Repeats the resize until the store has completed it, as the control loop does tick by tick. */
  private long resizeTo(long bytes) throws Exception {
    long reached = -1;
    for (int ask = 0; ask < 50 && reached != bytes; ask++) {
      reached = await(store.resize(bytes));
    }
    return reached;
  }

  @Test
  void anObjectLargerThanTheShareIsNotKeptAndHarmsNothing() throws Exception {
    await(store.putAll(Map.of("small", value("small", 100))));
    await(store.putAll(Map.of("huge", value("huge", (int) (shareBytes() * 1.2)))));
    assertThat(await(store.getAll(List.of("huge")))).isEmpty();
    assertThat(store.usedBytes()).isLessThan((long) (shareBytes() * slack()));
    await(store.putAll(Map.of("after", value("after", 100))));
    assertThat(await(store.getAll(List.of("after")))).containsOnlyKeys("after");
  }

  @Test
  void servesRightValuesWhileItIsResized() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger uses = new AtomicInteger();
    List<Future<?>> work = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      SplittableRandom random = new SplittableRandom(t);
      work.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  uses.incrementAndGet();
                  String key = "k" + random.nextInt(5_000);
                  if (random.nextInt(3) == 0) {
                    await(store.putAll(Map.of(key, value(key, VALUE_BYTES))));
                  } else {
                    hasOnlyRightValues(await(store.getAll(List.of(key))));
                  }
                }
                return null;
              }));
    }
    for (int i = 0; i < 6; i++) {
      long bytes = i % 2 == 0 ? Math.max(store.minimumBytes(), shareBytes() / 2) : shareBytes();
      assertThat(await(store.resize(bytes))).isPositive();
      int enough = uses.get() + USES_PER_SIZE;
      Songs.until(() -> uses.get() >= enough || work.stream().anyMatch(Future::isDone));
    }
    done.set(true);
    for (Future<?> each : work) {
      each.get(20, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  @Test
  void aClosedStoreFindsNothingAndThrowsNothing() throws Exception {
    fill(0, 10);
    store.close();
    store.close();
    assertThat(await(store.getAll(List.of("k1")))).isEmpty();
    await(store.putAll(Map.of("k1", value("k1", 10))));
    assertThat(await(store.getAll(List.of("k1")))).isEmpty();
    assertThatThrownBy(() -> await(store.resize(shareBytes())))
        .isInstanceOf(ExecutionException.class);
  }
}
