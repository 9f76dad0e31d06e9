/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cluster.ClusterArm.Mode;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Hook;
import dev.manx.operate.look.NodeState.Manx;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArmCheckTest {
  private static final String OPEN = "open, tries again in 60s: boom";

  private final ArmCheck check = new ArmCheck();

  private static ClusterArm arm(Mode mode) {
    return new ClusterArm(
        "manx",
        "",
        mode,
        Map.of("select", "low"),
        new StockSettings("99p", true),
        Optional.empty(),
        false);
  }

  private static NodeState state(Mode mode, String breaker, long opened, String hook) {
    boolean snitch = mode == Mode.ON;
    return new NodeState(
        "node1",
        "dc1",
        Manx.PRESENT,
        "",
        Map.of("mode", mode.label(), "breaker", breaker),
        Map.of(
            "snitch",
            new Hook(snitch ? "installed" : "stock", ""),
            "outbound",
            new Hook(hook, "does not fit")),
        Map.of("breaker_opened", opened, "faults", 10 * opened),
        0);
  }

  private static NodeState healthy(Mode mode) {
    return state(mode, "closed", 3, mode == Mode.OFF ? "stock" : "installed");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OFF", "SHADOW", "ON"})
  void anArmThatRanAllTheTimeCounts(Mode mode) {
    check.set(arm(mode), 0, healthy(mode));
    assertThatCode(() -> check.still(arm(mode), 0, healthy(mode))).doesNotThrowAnyException();
  }

  /** It closes again after a while, and with the next switch. */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SHADOW", "ON"})
  void aTurnInWhichABreakerOpenedIsDiscarded(Mode mode) {
    check.set(arm(mode), 1, healthy(mode));
    for (NodeState after :
        new NodeState[] {
          state(Mode.OFF, OPEN, 4, "stock"),
          state(mode, "half-open: boom", 4, "installed"),
          state(mode, "closed", 4, "installed")
        }) {
      assertThatThrownBy(() -> check.still(arm(mode), 1, after))
          .isInstanceOf(RunException.class)
          .hasMessage(
              "node1: its breaker opened: "
                  + after.row("breaker")
                  + "; arm manx ran as stock, so this turn is discarded");
    }
  }

  @Test
  void aTurnInWhichAHookFailedOrTheModeChangedIsDiscarded() {
    check.set(arm(Mode.ON), 0, healthy(Mode.ON));
    assertThatThrownBy(() -> check.still(arm(Mode.ON), 0, state(Mode.ON, "closed", 3, "failed")))
        .hasMessageContaining("hooks failed and stayed stock: outbound; arm manx ran as stock");
    assertThatThrownBy(() -> check.still(arm(Mode.ON), 0, healthy(Mode.SHADOW)))
        .hasMessageContaining("node1 should be in mode on for arm manx and says 'shadow'");
  }

  @Test
  void anArmThatIsNotSetIsNotMeasured() {
    assertThatThrownBy(() -> check.set(arm(Mode.ON), 0, state(Mode.ON, "closed", 0, "failed")))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("hook outbound is 'failed' (does not fit)");
  }

  /** A restarted node counts anew. */
  @Test
  void aNodeThatAnEventRestartsIsComparedWithItsNewStart() {
    check.set(arm(Mode.ON), 0, healthy(Mode.ON));
    check.set(arm(Mode.ON), 0, state(Mode.ON, "closed", 0, "installed"));
    assertThatCode(() -> check.still(arm(Mode.ON), 0, state(Mode.ON, "closed", 0, "installed")))
        .doesNotThrowAnyException();
  }
}
