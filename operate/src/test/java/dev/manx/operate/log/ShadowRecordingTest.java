/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import dev.manx.operate.look.States;
import dev.manx.policy.record.LogHead;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

  private static final String FAILED =
      "failed (java.nio.file.AccessDeniedException: /logs/manx.log): 0B of 16MiB, 100.0%";

  /** The file is opened after the command that begins a recording has returned. */
  @Test
  void aNodeThatStopsRecordingEndsTheRecordingAtOnce() {
    NodeState full = States.node("a", "record", "full: 16MiB of 16MiB");
    NodeState on = States.node("b", "record", "on: 1KiB of 16MiB");
    NodeState silent = States.without("c", Manx.UNREACHABLE, "late");
    assertThat(ShadowRecording.full(List.of(full, on, silent))).containsExactly("a");
    for (String record : List.of(FAILED, "off", "off: 1KiB of 16MiB")) {
      assertThatThrownBy(
              () -> ShadowRecording.full(List.of(full, States.node("b", "record", record))))
          .isInstanceOf(ConnectException.class)
          .hasMessageEndingWith("b does not record: " + record);
    }
  }

  @Test
  void theFileOfAFailedRecordingIsNotFetched() {
    assertThat(LogFetcher.hindrance(States.node("a", "record", "off: 1KiB of 16MiB"))).isEmpty();
    assertThat(LogFetcher.hindrance(States.node("a", "record", "full: 16MiB of 16MiB"))).isEmpty();
    assertThat(LogFetcher.hindrance(States.node("a", "record", "on: 1KiB of 16MiB")))
        .contains("is still recording");
    assertThat(LogFetcher.hindrance(States.node("a", "record", FAILED)))
        .startsWith("a could not record: failed (java.nio.file.AccessDeniedException: ");
  }

  @Test
  void anOlderLogIsNotThatOfThisRecording() {
    ByteBuffer log =
        ByteBuffer.wrap(
            new LogHead(1, 1, 3, Map.of("node", "a", "started", "2026-11-27T10:00:05Z"))
                .line()
                .bytes());
    assertThat(LogFetcher.earlier("a", log, null)).isEmpty();
    assertThat(LogFetcher.earlier("a", log, Instant.parse("2026-11-27T10:00:05Z"))).isEmpty();
    assertThat(LogFetcher.earlier("a", log, Instant.parse("2026-11-27T10:00:06Z")))
        .startsWith("a has an older log only, recorded from 2026-11-27T10:00:05Z on")
        .endsWith(": record again, or fetch it without --record");
    assertThat(LogFetcher.earlier("a", ByteBuffer.wrap(new byte[0]), Instant.EPOCH)).isNotEmpty();
  }
}
