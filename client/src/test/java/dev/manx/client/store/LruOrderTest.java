/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The order in which the plain LRU evicts. */
class LruOrderTest {
  private static LocalStore<String, Integer> local(long bytes) {
    return (LocalStore<String, Integer>)
        LruStore.factory()
            .open(new StoreSpec<String, Integer>("b", bytes, (k, v) -> v, Optional.empty()));
  }

  /** With 3 slots and a1, b1, b2, b3, a1 is evicted, and the next a1 is a miss. */
  @Test
  void evictsTheLeastRecentlyUsed() {
    LocalStore<String, Integer> store = local(3 * (10 + LruStore.ENTRY_OVERHEAD_BYTES));
    for (String key : new String[] {"a1", "b1", "b2", "b3"}) {
      store.put(key, 10);
    }
    assertThat(store.get("a1")).isNull();
    assertThat(store.get("b1")).isEqualTo(10);
    store.put("b4", 10);
    assertThat(store.get("b2")).as("b1 was used since").isNull();
    assertThat(store.get("b1")).isEqualTo(10);
  }

  @Test
  void agreesWithAModel() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    LocalStore<String, Integer> store = local(10_000);
    Map<String, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
    long limit = 10_000;
    for (int i = 0; i < 20_000; i++) {
      String key = "k" + random.nextInt(120);
      switch (random.nextInt(8)) {
        case 0 -> {
          limit = random.nextInt(15_000);
          store.resize(limit);
        }
        case 1 -> {
          store.invalidate(key);
          model.remove(key);
        }
        case 2, 3, 4 -> {
          int bytes = random.nextInt(random.nextInt(20) == 0 ? 20_000 : 300);
          store.put(key, bytes);
          model.remove(key);
          if (bytes + LruStore.ENTRY_OVERHEAD_BYTES <= limit) {
            model.put(key, bytes);
          }
        }
        default -> assertThat(store.get(key)).as("seed %d", seed).isEqualTo(model.get(key));
      }
      trim(model, limit);
      assertThat(store.usedBytes()).as("seed %d step %d", seed, i).isEqualTo(used(model));
    }
  }

  private static long used(Map<String, Integer> model) {
    return model.values().stream().mapToLong(v -> v + LruStore.ENTRY_OVERHEAD_BYTES).sum();
  }

  private static void trim(Map<String, Integer> model, long limit) {
    ArrayDeque<String> oldestFirst = new ArrayDeque<>(model.keySet());
    while (used(model) > limit) {
      model.remove(oldestFirst.pop());
    }
  }
}
