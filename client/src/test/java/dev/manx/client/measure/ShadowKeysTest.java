/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The last evicted keys, compared with a model and under many threads. */
class ShadowKeysTest {
  private static final long LIMIT = 1_000;

  @Test
  void agreesWithAModel() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ShadowKeys<String> shadow = new ShadowKeys<>(LIMIT);
      Map<String, Integer> model = new LinkedHashMap<>();
      for (int i = 0; i < 5_000; i++) {
        String key = "k" + random.nextInt(60);
        if (random.nextInt(3) == 0) {
          assertThat(shadow.remove(key)).as("seed %d", seed).isEqualTo(model.remove(key) != null);
        } else {
          int bytes = random.nextInt(random.nextInt(20) == 0 ? 1_500 : 90);
          shadow.evicted(key, bytes);
          model.remove(key);
          if (bytes <= LIMIT) {
            model.put(key, bytes);
          }
          trim(model);
        }
        assertThat(shadow.size()).as("seed %d", seed).isEqualTo(model.size());
        assertThat(shadow.bytes()).as("seed %d", seed).isEqualTo(bytes(model));
      }
    }
  }

  private static long bytes(Map<String, Integer> model) {
    return model.values().stream().mapToLong(b -> b).sum();
  }

  private static void trim(Map<String, Integer> model) {
    Iterator<Integer> oldest = model.values().iterator();
    long over = bytes(model) - LIMIT;
    while (over > 0) {
      over -= oldest.next();
      oldest.remove();
    }
  }

  @Test
  void anEntryBeyondAllBoundsIsNotRemembered() {
    ShadowKeys<String> shadow = new ShadowKeys<>(1L << 40);
    shadow.evicted("huge", Long.MAX_VALUE);
    assertThat(shadow.remove("huge")).isTrue();
    ShadowKeys<String> small = new ShadowKeys<>(LIMIT);
    small.evicted("huge", Long.MAX_VALUE);
    assertThat(small.remove("huge")).isFalse();
    assertThat(small.size()).isZero();
  }

  /** A key whose equals fails affects no other. */
  @Test
  void bearsKeysThatThrow() {
    record Bad(int number) {
      @Override
      public int hashCode() {
        throw new IllegalStateException("asked to fail");
      }
    }
    ShadowKeys<Object> shadow = new ShadowKeys<>(LIMIT);
    shadow.evicted(new Bad(1), 10);
    assertThat(shadow.remove(new Bad(1))).isFalse();
    shadow.evicted("good", 10);
    assertThat(shadow.remove("good")).isTrue();
  }

  @Test
  void isUsedAgainAfterItWasCleared() {
    ShadowKeys<String> shadow = new ShadowKeys<>(LIMIT);
    shadow.evicted("a", 10);
    shadow.evicted("b", 20);
    shadow.clear();
    assertThat(shadow.remove("a")).isFalse();
    assertThat(shadow.size()).isZero();
    assertThat(shadow.bytes()).isZero();
    shadow.evicted("b", 30);
    assertThat(shadow.bytes()).isEqualTo(30);
    assertThat(shadow.remove("b")).isTrue();
  }

  @Test
  void threadsNeitherLoseNorDoubleKeysAndKeepTheBound() throws Exception {
    int keys = 200;
    ShadowKeys<Integer> shadow = new ShadowKeys<>(LIMIT);
    AtomicLong told = new AtomicLong();
    AtomicLong hits = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> work = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(t);
      work.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 50_000; i++) {
                  int key = random.nextInt(keys);
                  if (random.nextBoolean()) {
                    shadow.evicted(key, 10 + key % 7);
                    told.incrementAndGet();
                  } else if (shadow.remove(key)) {
                    hits.incrementAndGet();
                  }
                  assertThat(shadow.bytes()).isBetween(0L, LIMIT);
                }
              }));
    }
    for (Future<?> one : work) {
      one.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertThat(shadow.size()).isBetween(1, (int) LIMIT / 10);
    assertThat(hits.get()).isPositive();
    assertThat(hits.get() + shadow.size()).isLessThanOrEqualTo(told.get());
    int left = shadow.size();
    int removed = 0;
    for (int key = 0; key < keys; key++) {
      removed += shadow.remove(key) ? 1 : 0;
    }
    assertThat(removed).isEqualTo(left);
    assertThat(shadow.bytes()).isZero();
    assertThat(shadow.size()).isZero();
  }
}
