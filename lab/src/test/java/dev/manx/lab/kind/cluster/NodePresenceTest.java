/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NodePresenceTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
  private final NodePresence presence = new NodePresence(now::get);

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

  /** The driver closes a connection during a long pause, and needs seconds to open another. */
  @Test
  void soHasOneToWhichTheDriverHasNotReconnected() {
    presence.leaves(1);
    presence.returns(1);
    now.addAndGet(TimeUnit.SECONDS.toNanos(9));
    // The time at which it was sent decides, however long it takes to fail.
    Runnable wait = () -> now.addAndGet(TimeUnit.SECONDS.toNanos(20));
    assertThat(presence.ask(1, lost(wait))).isEmpty();
    assertThatThrownBy(() -> presence.ask(1, lost(() -> {}))).hasMessage("lost");
  }

  @Test
  void aNodeThatFailsWithoutAnEventEndsTheExperiment() {
    presence.ends(1);
    presence.returns(1);
    now.addAndGet(TimeUnit.MINUTES.toNanos(1));
    assertThatThrownBy(() -> presence.ask(1, lost(() -> {}))).hasMessage("lost");
    assertThatThrownBy(() -> presence.ask(2, lost(() -> presence.ends(3)))).hasMessage("lost");
  }
}
