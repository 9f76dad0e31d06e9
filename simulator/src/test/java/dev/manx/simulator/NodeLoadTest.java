/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.FactColumn;
import org.junit.jupiter.api.Test;

@SuppressWarnings("EnumOrdinal")
class NodeLoadTest {
  private static final int SLOWNESS = FactColumn.SLOWNESS.ordinal();

  @Test
  void aNodeThatStartsAgainHasNoOpinionOfItselfAndIsQuickToFormOne() {
    NodeLoad load = new NodeLoad(0.1);
    assertThat(slownessAfter(load, 100_000, 10)).isEqualTo(1_000);
    load.restarted();
    assertThat(slownessAfter(load, 31, 30)).isZero();
    assertThat(slownessAfter(load, 1, 30)).as("cold: every read misses").isEqualTo(3_000);
    assertThat(load.pending()).isZero();
  }

  private static long slownessAfter(NodeLoad load, int reads, long nanos) {
    for (int i = 0; i < reads; i++) {
      load.enqueued(10);
      load.started(10);
      load.finished(false, nanos, 10);
    }
    long[] facts = new long[FactColumn.values().length];
    load.report(facts, new int[] {SLOWNESS});
    return facts[SLOWNESS];
  }
}
