/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import org.junit.jupiter.api.Test;

/** Nodes that can be recorded, and nodes that cannot. */
class ShadowRecordingTest {
  private static final String CALM_AFTER = "calm-after";

  @Test
  void aNodeInShadowThatKnowsBothRowsCanRecord() {
    assertThat(ShadowRecording.hindrance(States.node("a", "mode", "shadow", CALM_AFTER, "250ms")))
        .isEmpty();
  }

  @Test
  void aNodeThatCannotIsNamedBeforeAnythingIsChanged() {
    assertThat(
            ShadowRecording.hindrance(States.without("a", Manx.UNREACHABLE, "unreachable: late")))
        .isEqualTo("a: unreachable: late");
    assertThat(ShadowRecording.hindrance(States.node("a", CALM_AFTER, "250ms")))
        .contains("mode on");
    assertThat(ShadowRecording.hindrance(States.node("a", "mode", "shadow", "version", "0.0.9")))
        .isEqualTo("a: its Manx, version 0.0.9, does not support `calm-after`: upgrade it");
    assertThat(
            ShadowRecording.hindrance(
                States.node("a", "mode", "shadow", CALM_AFTER, "250ms", "record", "on: 1KiB")))
        .contains("is already recording");
  }
}
