/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.FactColumn;
import org.junit.jupiter.api.Test;

@SuppressWarnings("EnumOrdinal")
class NodeLoadTest {
  private static final int SLOWNESS = FactColumn.SLOWNESS.ordinal();
  private static final int COMPLETED = FactColumn.COMPLETED_READS.ordinal();

  @Test
  void aNodeThatStartsAgainHasNoOpinionOfItselfAndIsQuickToFormOne() {
    NodeLoad load = new NodeLoad(0.1);
    assertThat(slownessAfter(load, 100_000, 10)).isEqualTo(1_000);
    load.restarted();
    assertThat(slownessAfter(load, 31, 30)).isZero();
    assertThat(slownessAfter(load, 1, 30)).as("cold: every read misses").isEqualTo(3_000);
    assertThat(load.pending()).isZero();
  }

  @Test
  void aNodeThatStartsAgainCountsItsReadsFromZero() {
    NodeLoad load = new NodeLoad(0.1);
    serve(load, 5, 30);
    assertThat(reported(load, COMPLETED)).isEqualTo(5);
    load.restarted();
    assertThat(reported(load, COMPLETED)).isZero();
    serve(load, 2, 30);
    assertThat(reported(load, COMPLETED)).isEqualTo(2);
  }

  private static long slownessAfter(NodeLoad load, int reads, long nanos) {
    serve(load, reads, nanos);
    return reported(load, SLOWNESS);
  }

  private static void serve(NodeLoad load, int reads, long nanos) {
    for (int i = 0; i < reads; i++) {
      load.enqueued(10);
      load.started(10);
      load.finished(false, i * nanos, nanos, 10);
    }
  }

  private static long reported(NodeLoad load, int column) {
    long[] facts = new long[FactColumn.values().length];
    load.report(facts, new int[] {column});
    return facts[column];
  }
}
