/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares with a model, a map in order of access. */
class PageCacheTest {
  @Test
  void keepsWhatWasReadLast() {
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long capacity = 20_000 + random.nextInt(400_000);
      PageCache cache = new PageCache(capacity);
      Map<Long, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
      long used = 0;
      for (int i = 0; i < 20_000; i++) {
        long key = random.nextInt(3_000);
        int bytes = (int) (1 + key % 300);
        boolean there = model.get(key) != null;
        assertThat(cache.read(key, bytes)).as("seed %d, read %d", seed, i).isEqualTo(there);
        if (!there) {
          Iterator<Map.Entry<Long, Integer>> oldest = model.entrySet().iterator();
          while (used + bytes > capacity) {
            used -= oldest.next().getValue();
            oldest.remove();
          }
          model.put(key, bytes);
          used += bytes;
        }
      }
      assertThat(cache.usedBytes()).as("seed %d", seed).isEqualTo(used);
      assertThat(cache.size()).as("seed %d", seed).isEqualTo(model.size());
    }
  }

  @Test
  void neverTakesMoreThanItHolds() {
    PageCache cache = new PageCache(100);
    assertThat(cache.read(1, 101)).isFalse();
    assertThat(cache.read(1, 101)).isFalse();
    assertThat(cache.usedBytes()).isZero();
  }

  /** A read looks into the cache when it starts, not when it ends. */
  @Test
  @Timeout(60)
  void hitsAreAPartOfTheReadsThatStarted() {
    ModelSpec model = Models.with(Models.cluster(List.of()), new ModelSpec.Cache(0, 400_000, 0, 0));
    RunSpec run = Models.run(model, Models.reads(5), 2, 40, 1);
    Outcome outcome = new Simulation(model, Models.reads(5), Models.RANDOM, run).run();
    assertThat(outcome.metrics().get("cache_hit_pct")).isZero();
  }
}
