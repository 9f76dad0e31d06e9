/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeldReadsTest {
  @Test
  void theBestReadOfANodeIsTheMinimumOfAllItMayServe() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      HeldReads<TestRead> held = new HeldReads<>(false);
      List<TestRead> model = new ArrayList<>();
      for (int step = 0; step < 400; step++) {
        int node = random.nextInt(40);
        if (random.nextInt(3) > 0) {
          int[] nodes = random.ints(0, 40).distinct().limit(random.nextInt(1, 4)).toArray();
          TestRead read = new TestRead("r" + step, random.nextInt(20), 1, nodes);
          held.add(read, read.priority);
          model.add(read);
        } else {
          TestRead expected =
              model.stream()
                  .filter(read -> mayServe(read, node))
                  .min(Comparator.comparingLong(read -> read.priority))
                  .orElse(null);
          assertThat(held.best(node)).as("seed %d", seed).isSameAs(expected);
          if (expected != null) {
            assertThat(held.remove(expected)).isTrue();
            assertThat(held.remove(expected)).as("once, seed %d", seed).isFalse();
            model.remove(expected);
          }
        }
        assertThat(held.size()).isEqualTo(model.size());
      }
    }
  }

  @Test
  void theOrderOfTheNodesDoesNotMatterAndForeignReadsAreRefused() {
    HeldReads<TestRead> held = new HeldReads<>(false);
    TestRead late = new TestRead("late", 5, 1, 2, 7, 4);
    TestRead soon = new TestRead("soon", 1, 1, 4, 2, 7);
    held.add(late, 5);
    held.add(soon, 1);
    assertThat(held.best(7)).isSameAs(soon);
    assertThat(held.best(3)).isNull();
    assertThat(new HeldReads<TestRead>(false).remove(soon)).isFalse();
  }

  private static boolean mayServe(TestRead read, int node) {
    return IntStream.of(read.nodes).limit(read.nodeCount).anyMatch(own -> own == node);
  }
}
