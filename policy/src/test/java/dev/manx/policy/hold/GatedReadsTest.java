/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GatedReadsTest {
  private static final int NODES = 12;
  private static final long NEVER = Long.MAX_VALUE;

  private final List<TestRead> model = new ArrayList<>();
  private final long[] opensAt = new long[NODES];
  private long now;

  @Test
  void givesTheBestReadWithAnOpenNodeAndTheTimeOfTheNextChange() {
    for (long seed = 0; seed < 500; seed++) {
      check(seed);
    }
  }

  /** Equals a search through all reads and nodes after any change to either. */
  private void check(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    GatedReads<TestRead> gated = new GatedReads<>(false, node -> opensAt[node]);
    model.clear();
    now = 0;
    Arrays.setAll(opensAt, node -> opening(random));
    for (int step = 0; step < 400; step++) {
      act(gated, random, step);
      TestRead best = gated.best(now);
      assertThat(best).as("seed %d, step %d", seed, step).isSameAs(expected());
      assertThat(gated.nextNanos(now)).as("seed %d, step %d", seed, step).isEqualTo(expectedNext());
      assertThat(gated.size()).isEqualTo(model.size());
      if (best != null && random.nextBoolean()) {
        assertThat(gated.remove(best)).isTrue();
        assertThat(gated.remove(best)).as("once, seed %d", seed).isFalse();
        model.remove(best);
        int node = best.nodes[random.nextInt(best.nodeCount)];
        opensAt[node] = opening(random);
        gated.changed(node, now);
      }
    }
  }

  private void act(GatedReads<TestRead> gated, SplittableRandom random, int step) {
    switch (random.nextInt(8)) {
      case 0 -> now += random.nextInt(20);
      case 1 -> {
        int node = random.nextInt(NODES);
        opensAt[node] = opening(random);
        gated.changed(node, now);
      }
      case 2 -> {
        if (random.nextInt(10) == 0) {
          Arrays.setAll(opensAt, node -> opening(random));
          gated.allChanged(now);
        }
      }
      case 3 -> {
        if (!model.isEmpty()) {
          assertThat(gated.remove(model.remove(random.nextInt(model.size())))).isTrue();
        }
      }
      default -> {
        int[] nodes = random.ints(0, NODES).distinct().limit(random.nextInt(1, 4)).toArray();
        TestRead read = new TestRead("r" + step, random.nextInt(20), 1, nodes);
        gated.add(read, read.priority, now);
        model.add(read);
      }
    }
  }

  private long opening(SplittableRandom random) {
    return random.nextInt(5) == 0 ? NEVER : now + random.nextInt(-10, 40);
  }

  // Reads of equal priority are in the order of their arrival in the model.
  private TestRead expected() {
    return model.stream()
        .filter(read -> nodes(read).anyMatch(node -> opensAt[node] <= now))
        .min(Comparator.comparingLong(read -> read.priority))
        .orElse(null);
  }

  private long expectedNext() {
    return model.stream()
        .flatMapToInt(GatedReadsTest::nodes)
        .mapToLong(node -> Math.max(now, opensAt[node]))
        .min()
        .orElse(NEVER);
  }

  private static IntStream nodes(TestRead read) {
    return IntStream.of(read.nodes).limit(read.nodeCount);
  }
}
