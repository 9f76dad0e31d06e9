/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.ClusterException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LivingNodesTest {
  private static final ClusterException DEATH =
      new ClusterException("node2 has ended with code 137");

  private static void dead() {
    throw new ClusterException(DEATH.getMessage());
  }

  /** A dead node was told as a node that refuses an arm, as a busy one, or as a bug. */
  @Test
  void theDeathOfANodeIsTheFailure() {
    RunException consequence = new RunException("node2 refuses arm manx");
    assertThatThrownBy(
            () ->
                LivingNodes.run(
                    LivingNodesTest::dead,
                    () -> {
                      throw consequence;
                    }))
        .isInstanceOf(ClusterException.class)
        .hasMessage(DEATH.getMessage())
        .hasSuppressedException(consequence);
    assertThatThrownBy(() -> LivingNodes.run(LivingNodesTest::dead, () -> 1))
        .isInstanceOf(ClusterException.class);
  }

  @Test
  void aDeathThatIsKnownAMomentLaterIsTheFailureToo() {
    AtomicInteger looks = new AtomicInteger();
    assertThatThrownBy(
            () ->
                LivingNodes.run(
                    () -> {
                      if (looks.incrementAndGet() == 3) {
                        dead();
                      }
                    },
                    () -> {
                      throw new IllegalStateException("cut off");
                    }))
        .hasMessage(DEATH.getMessage());
  }

  @Test
  void whileAllNodesLiveAFailureStaysAsItIs() throws Exception {
    assertThat(LivingNodes.<Integer>run(() -> {}, () -> 1)).isEqualTo(1);
    RunException own = new RunException("wrong rows");
    assertThatThrownBy(
            () ->
                LivingNodes.run(
                    () -> {},
                    () -> {
                      throw own;
                    }))
        .isSameAs(own);
    assertThat(own.getSuppressed()).isEmpty();
  }
}
