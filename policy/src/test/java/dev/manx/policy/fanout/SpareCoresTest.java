/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.LocalLoad;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies go only to nodes with the CPU for them. */
@Timeout(60)
class SpareCoresTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final SpareCores cores = new SpareCores(0.75);

  @Test
  void aNodeHasThemUpToItsBound() {
    FakeView view = new FakeView(2).set(FactColumn.CORES_IN_USE, 0, 750);
    view.set(FactColumn.CORES_IN_USE, 1, 751);
    assertThat(cores.at(0, view, 0)).isTrue();
    assertThat(cores.at(1, view, 0)).isFalse();
    assertThat(new SpareCores(1).at(1, view.set(FactColumn.CORES_IN_USE, 1, 1_000), 0)).isTrue();
  }

  @Test
  void aNodeThatReportsNoCoresHasThem() {
    assertThat(cores.at(0, new ClusterState(2), 0)).isTrue();
  }

  /** A node that receives no reads reports nothing, and would otherwise count as busy forever. */
  @Test
  void anOldReportIsForgotten() {
    ClusterState state = new ClusterState(2);
    state.apply(FactColumn.CORES_IN_USE, 1, 990, 5 * SECOND);
    assertThat(cores.at(1, state, 15 * SECOND)).isFalse();
    assertThat(cores.at(1, state, 15 * SECOND + 1)).isTrue();
  }

  @Test
  void aLoadReportsThousandthsAndNothingIfUnknown() {
    LocalLoad load = new LocalLoad();
    assertThat(load.value(FactColumn.CORES_IN_USE)).isZero();
    load.coresInUse(0.8126);
    assertThat(load.value(FactColumn.CORES_IN_USE)).isEqualTo(813);
    load.coresInUse(-1);
    assertThat(load.value(FactColumn.CORES_IN_USE)).isZero();
  }
}
