/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Local stores report evictions for lack of space, and no other removals. */
class EvictionsTest {
  private static final int ENTRIES = 100;

  /** Stores that report evictions. */
  enum Kind {
    CAFFEINE(CaffeineStore.factory(), CaffeineStore.ENTRY_OVERHEAD_BYTES),
    LRU(LruStore.factory(), LruStore.ENTRY_OVERHEAD_BYTES);

    private final StoreFactory factory;
    private final int overheadBytes;

    Kind(StoreFactory factory, int overheadBytes) {
      this.factory = factory;
      this.overheadBytes = overheadBytes;
    }
  }

  private final Map<Integer, Long> told = new ConcurrentHashMap<>();

  private LocalStore<Integer, Integer> open(Kind kind) {
    assertThat(kind.factory.reportsEvictions()).isTrue();
    Store<Integer, Integer> store =
        kind.factory.open(
            new StoreSpec<Integer, Integer>(
                    "b",
                    ENTRIES * (100L + kind.overheadBytes),
                    (key, value) -> value,
                    Optional.empty())
                .reporting(told::put));
    assertThat(store.overheadBytes()).isEqualTo(kind.overheadBytes);
    return (LocalStore<Integer, Integer>) store;
  }

  private static int held(LocalStore<Integer, Integer> store, int keys) {
    int held = 0;
    for (int key = 0; key < keys; key++) {
      held += store.get(key) == null ? 0 : 1;
    }
    return held;
  }

  @ParameterizedTest
  @EnumSource
  void evictionsAreReportedWithTheirBytes(Kind kind) {
    LocalStore<Integer, Integer> store = open(kind);
    for (int key = 0; key < 3 * ENTRIES; key++) {
      store.put(key, 100);
    }
    assertThat(held(store, 3 * ENTRIES)).isEqualTo(ENTRIES);
    assertThat(told).hasSize(2 * ENTRIES).containsValue(100L + kind.overheadBytes);
    assertThat(told.keySet()).allMatch(key -> store.get(key) == null);
    store.resize(ENTRIES / 2 * (100L + kind.overheadBytes));
    assertThat(told).as("a smaller share lets go too").hasSize(2 * ENTRIES + ENTRIES / 2);
    assertThat(told.values()).containsOnly(100L + kind.overheadBytes);
  }

  @ParameterizedTest
  @EnumSource
  void invalidatedReplacedAndClosedEntriesAreNotEvictions(Kind kind) {
    LocalStore<Integer, Integer> store = open(kind);
    for (int key = 0; key < ENTRIES; key++) {
      store.put(key, 100);
      store.put(key, 90);
    }
    store.invalidate(3);
    store.close();
    assertThat(held(store, ENTRIES)).isZero();
    assertThat(told).isEmpty();
  }

  /** Every entry is reported or present under concurrent use. */
  @ParameterizedTest
  @EnumSource
  void underThreadsEveryKeyIsThereOrWasTold(Kind kind) throws Exception {
    LocalStore<Integer, Integer> store = open(kind);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    int each = 5_000;
    for (int t = 0; t < 4; t++) {
      int first = t * each;
      SplittableRandom random = new SplittableRandom(t);
      threads.execute(
          () -> {
            for (int key = first; key < first + each; key++) {
              store.put(key, 100);
              store.get(random.nextInt(4 * each));
              if (key % 500 == 0) {
                store.resize((ENTRIES / 2 + random.nextInt(ENTRIES)) * 200L);
              }
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    // Completes pending evictions.
    store.resize(ENTRIES * 200L);
    for (int key = 0; key < 4 * each; key++) {
      assertThat(store.get(key) != null).as("key %d", key).isNotEqualTo(told.containsKey(key));
    }
  }
}
