/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.strategy.Strategy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that leave while Manx is off. */
@Timeout(60)
class PeerEventsTest {
  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  private static Parts parts() {
    return new Parts(TestConfigs.defaults(), RecordConfig.NONE, () -> {});
  }

  @Test
  void aNodeThatLeftIsForgottenWhileManxIsOff() throws Exception {
    Parts parts = parts();
    Strategy strategy = Strategy.parse("test", "strategy: manx", parts.clock);
    Set<InetAddressAndPort> left = new HashSet<>();
    PeerEvents events = new PeerEvents(() -> null, parts, () -> strategy, left::contains);
    InetAddressAndPort gone = InetAddressAndPort.getByName("127.0.0.8:7000");
    InetAddressAndPort stays = InetAddressAndPort.getByName("127.0.0.9:7000");
    int node = parts.nodes.id(gone);
    parts.nodes.id(stays);
    long now = parts.clock.nanoTime();
    parts.state.apply(FactColumn.SLOWNESS, node, 1_500, now);
    parts.signs.heard(node, true, now);
    events.sweep();
    assertThat(parts.nodes.find(gone)).isEqualTo(node);
    left.add(gone);
    events.sweep();
    assertThat(parts.nodes.find(gone)).isEqualTo(Nodes.NONE);
    assertThat(parts.nodes.all()).containsKey(stays).hasSize(2);
    assertThat(parts.state.ageNanos(FactColumn.SLOWNESS, node, now)).isEqualTo(ClusterView.NEVER);
    assertThat(parts.signs.isPeer(node, now)).isFalse();
  }

  @Test
  void theTimerLooksForSuchNodes() throws Exception {
    CountDownLatch looks = new CountDownLatch(2);
    new Ticker(parts(), () -> null, () -> {}, looks::countDown, null).ensure();
    looks.await();
  }
}
