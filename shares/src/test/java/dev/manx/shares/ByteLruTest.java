/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteLruTest {
  @Test
  void evictsTheOldestUntilTheNewOneFits() {
    List<Integer> evicted = new ArrayList<>();
    ByteLru lru = new ByteLru(4, 100, evicted::add);
    lru.put(0, 40);
    lru.put(1, 40);
    lru.touch(0);
    lru.put(2, 30);
    assertThat(evicted).containsExactly(1);
    lru.put(3, 95);
    assertThat(evicted).containsExactly(1, 0, 2);
    assertThat(lru.put(0, 101)).isFalse();
    assertThat(lru.contains(3)).isTrue();
    lru.resize(0);
    assertThat(lru.size()).isZero();
    assertThat(lru.usedBytes()).isZero();
    assertThat(lru.oldest()).isEqualTo(-1);
    assertThatThrownBy(() -> lru.resize(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> lru.put(1, -1)).hasMessageContaining("-1");
  }

  @Test
  void replacingChangesTheWeight() {
    ByteLru lru = new ByteLru(0, 100, slot -> {});
    lru.put(7, 60);
    lru.put(7, 30);
    assertThat(lru.usedBytes()).isEqualTo(30);
    assertThat(lru.size()).isEqualTo(1);
    assertThat(lru.put(7, 200)).isFalse();
    assertThat(lru.contains(7)).isFalse();
  }

  /** Compares with a linked map in order of access. */
  @Test
  void isAnLruByBytes() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ByteLru lru = new ByteLru(random.nextInt(5), 1_000, slot -> {});
      LinkedHashMap<Integer, Integer> model = new LinkedHashMap<>(16, 0.75f, true);
      long limit = 1_000;
      for (int i = 0; i < 2_000; i++) {
        int slot = random.nextInt(60);
        switch (random.nextInt(10)) {
          case 0 -> {
            limit = random.nextInt(1_500);
            lru.resize(limit);
          }
          case 1 -> assertThat(lru.remove(slot)).isEqualTo(model.remove(slot) != null);
          case 2, 3, 4 -> assertThat(lru.touch(slot)).isEqualTo(model.get(slot) != null);
          default -> {
            int bytes = random.nextInt(120);
            model.remove(slot);
            boolean fits = bytes <= limit;
            if (fits) {
              model.put(slot, bytes);
            }
            assertThat(lru.put(slot, bytes)).as("seed %d", seed).isEqualTo(fits);
          }
        }
        Iterator<Map.Entry<Integer, Integer>> oldest = model.entrySet().iterator();
        while (model.values().stream().mapToLong(b -> b).sum() > limit) {
          oldest.next();
          oldest.remove();
        }
        assertThat(lru.size()).as("seed %d, step %d", seed, i).isEqualTo(model.size());
        assertThat(lru.usedBytes()).isEqualTo(model.values().stream().mapToLong(b -> b).sum());
        for (int known : model.keySet()) {
          assertThat(lru.contains(known)).isTrue();
        }
      }
    }
  }

  /** A sampled curve is close to the misses of real LRUs of these sizes. */
  @Test
  void theSampledCurveIsThatOfRealCaches() {
    int objects = 20_000;
    double[] sizes = {0.05, 0.2, 0.5, 0.9};
    for (long seed = 1; seed <= 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] bytes = random.ints(objects, 100, 2_000).toArray();
      double all = 0;
      for (int size : bytes) {
        all += size;
      }
      ShadowSampler sampler = new ShadowSampler(all);
      ByteLru[] lrus = new ByteLru[sizes.length];
      long[] misses = new long[sizes.length];
      for (int i = 0; i < sizes.length; i++) {
        lrus[i] = new ByteLru(objects, (long) (sizes[i] * all), slot -> {});
      }
      int queries = 400_000;
      for (int q = 0; q < queries; q++) {
        int object = (int) (objects * Math.pow(random.nextDouble(), 2.5));
        sampler.query(object, bytes[object]);
        for (int i = 0; i < sizes.length; i++) {
          if (!lrus[i].touch(object)) {
            lrus[i].put(object, bytes[object]);
            misses[i]++;
          }
        }
      }
      MissCurve curve = sampler.curve();
      for (int i = 0; i < sizes.length; i++) {
        double exact = misses[i] / (double) queries;
        assertThat(Math.abs(curve.missRatio(sizes[i] * all) - exact))
            .as("seed %d, %.2f of the bytes: %.3f exactly", seed, sizes[i], exact)
            .isLessThan(0.05);
      }
    }
  }

  @Test
  void curvesAreReadBetweenTheirPointsAndConvexified() {
    MissCurve cliff =
        new MissCurve(new double[] {0, 100, 200, 300, 400}, new double[] {1, 0.9, 0.9, 0.2, 0.1});
    assertThat(cliff.missRatio(50)).isEqualTo(0.95);
    assertThat(cliff.missRatio(1_000)).isEqualTo(0.1);
    assertThat(cliff.gainPerByte(100, 100)).isZero();
    MissCurve convex = cliff.convex();
    assertThat(convex.bytes()).containsExactly(0, 300, 400);
    assertThat(convex.gainPerByte(100, 100)).isPositive();
    assertThatThrownBy(() -> new MissCurve(new double[] {1}, new double[] {1}))
        .hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> new MissCurve(new double[] {0, 0}, new double[] {1, 1}))
        .hasMessageContaining("ascend");
  }
}
