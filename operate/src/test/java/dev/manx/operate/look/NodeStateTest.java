/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import dev.manx.operate.look.NodeState.Manx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The state read from a node, and the time of reading. */
class NodeStateTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(5 * SECOND);

  private NodeState read(NodeState.Question question) {
    return NodeState.read("10.0.0.1", "dc1", question, now::get);
  }

  @Test
  void theTimeIsThatOfTheCountersAndNotOfTheConnection() {
    NodeState state =
        read(
            cql -> {
              if (cql.contains("manx.strategy")) {
                now.addAndGet(3 * SECOND); // connects
                return List.of(Map.of("name", "mode", "value", "on"));
              }
              if (cql.contains("manx.hooks")) {
                return List.of(Map.of("name", "snitch", "state", "installed", "detail", ""));
              }
              now.addAndGet(SECOND / 5);
              return List.of(Map.of("name", "faults", "value", 7L));
            });
    assertThat(state.mode()).isEqualTo("on");
    assertThat(state.hooks()).containsKey("snitch");
    assertThat(state.counter("faults")).isEqualTo(7);
    assertThat(state.nanos()).isEqualTo(8 * SECOND + SECOND / 10);
  }

  @Test
  void everyKindOfFailureHasItsWords() {
    for (Kind kind : Kind.values()) {
      NodeState state =
          read(
              cql -> {
                throw new NodeException(kind, "boom", null);
              });
      assertThat(state.isPresent()).isFalse();
      assertThat(state.why()).isNotEmpty();
      assertThat(state.manx())
          .isEqualTo(
              kind == Kind.ABSENT
                  ? Manx.ABSENT
                  : kind == Kind.FORBIDDEN ? Manx.HIDDEN : Manx.UNREACHABLE);
    }
  }
}
