/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NodePresenceTest {
  private final NodePresence presence = new NodePresence();

  /** A query during which something happens, and whose connection is then lost. */
  private static Supplier<String> lost(Runnable meanwhile) {
    return () -> {
      meanwhile.run();
      throw new ClosedConnectionException("lost");
    };
  }

  /** A restart may come during any query; it must not end the experiment. */
  @Test
  void aNodeThatIsKilledDuringAQueryHasNoAnswer() {
    assertThat(presence.ask(2, lost(() -> presence.ends(2)))).isEmpty();
    assertThat(presence.wasKilled(2)).isTrue();
    assertThat(presence.ask(2, () -> "never asked")).isEmpty();
    presence.returns(2);
    assertThat(presence.ask(2, () -> "counters")).contains("counters");
  }

  @Test
  void soHasOneThatReturnsMeanwhile() {
    Runnable pause =
        () -> {
          presence.leaves(1);
          presence.returns(1);
        };
    assertThat(presence.ask(1, lost(pause))).isEmpty();
    assertThat(presence.wasKilled(1)).isFalse();
  }

  @Test
  void aNodeThatFailsWithoutAnEventEndsTheExperiment() {
    presence.ends(1);
    presence.returns(1);
    assertThatThrownBy(() -> presence.ask(1, lost(() -> {}))).hasMessage("lost");
    assertThatThrownBy(() -> presence.ask(2, lost(() -> presence.ends(3)))).hasMessage("lost");
  }
}
