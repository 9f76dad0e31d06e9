/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeFaultsTest {
  private final NodeFaults faults = new NodeFaults(2);

  @Test
  void aNodeThatFailsEverythingIsPenalisedUpToTheBound() {
    int penalised = 0;
    for (int i = 0; i < 10_000; i++) {
      penalised += faults.failed(0) ? 1 : 0;
    }
    assertThat(penalised).isEqualTo(NodeFaults.MOST_PENALTIES);
    assertThat(faults.penalties(0)).isEqualTo(NodeFaults.MOST_PENALTIES);
    faults.penaltyEnded(0);
    assertThat(faults.failed(0)).isTrue();
    assertThat(faults.failed(1)).as("another node's first failure").isFalse();
    assertThat(faults.failsMost(0)).isTrue();
    assertThat(faults.failsMost(1)).isFalse();
  }

  @Test
  void penaltiesOfAllNodesEndWithTheLastOne() {
    int penalised = 0;
    for (int i = 0; i < 100; i++) {
      penalised += (faults.failed(0) ? 1 : 0) + (faults.failed(1) ? 1 : 0);
    }
    assertThat(penalised).isPositive();
    for (int node = 0; node < 2; node++) {
      while (faults.penalties(node) > 0) {
        assertThat(faults.anyPenalty()).isTrue();
        faults.penaltyEnded(node);
      }
    }
    assertThat(faults.anyPenalty()).isFalse();
  }

  @Test
  void aNodeWithOneBadPartitionIsNot() {
    long seed = 42;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 100_000; i++) {
      if (random.nextInt(100) < 20) {
        assertThat(faults.failed(0)).as("read %d, seed %d", i, seed).isFalse();
      } else {
        faults.answered(0);
      }
    }
  }

  @Test
  void answersMakeUpForFailures() {
    for (int i = 0; i < 1_000; i++) {
      faults.failed(0);
    }
    for (int i = 0; i < 40; i++) {
      faults.answered(0);
    }
    assertThat(faults.failed(0)).isFalse();
  }
}
