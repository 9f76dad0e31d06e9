/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GreetingsTest {
  private static final long SECOND = 1_000_000_000L;

  /** A node with Manx among others; its messages also reach those that have Manx. */
  private final class Node {
    final InetAddressAndPort address;
    final FakeConnections post;
    final Engine engine;
    final Greetings greetings;

    Node(int last, Mode mode) {
      address = FakeConnections.node(last);
      post = new FakeConnections(address);
      engine = TestEngines.of("strategy: {}", () -> now, mode, self -> self);
      greetings = new Greetings(new NodeMessages(this::engine, post));
      nodes.put(address, this);
    }

    private Engine engine() {
      return engine;
    }

    boolean acts(Node other) {
      int id = engine.nodes().find(other.address);
      return id >= 0 && engine.signs().acts(id, now);
    }
  }

  private long now = 5 * SECOND;
  private final Map<InetAddressAndPort, Node> nodes = new HashMap<>();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private void second() {
    nodes.values().forEach(node -> node.greetings.greet(node.engine));
    deliver();
    now += SECOND;
  }

  private void deliver() {
    boolean more = true;
    while (more) {
      more = false;
      for (Node node : nodes.values()) {
        while (!node.post.sent.isEmpty()) {
          FakeConnections.Sent sent = node.post.sent.remove(0);
          Node to = nodes.get(sent.to());
          if (to != null) {
            assertThat(to.greetings.messages().take(to.engine, sent.message())).isTrue();
            more = true;
          }
        }
      }
    }
  }

  private void knowEachOther() {
    nodes.values().forEach(node -> node.post.live.addAll(nodes.keySet()));
  }

  @Test
  void nodesThatReadNothingFindEachOther() {
    Node one = new Node(1, Mode.ON);
    Node two = new Node(2, Mode.ON);
    knowEachOther();
    second();
    assertThat(one.acts(two)).isTrue();
    assertThat(two.acts(one)).isTrue();
    long sent = one.engine.counters().get(Counter.MESSAGES_SENT);
    second();
    assertThat(one.engine.counters().get(Counter.MESSAGES_SENT))
        .as("they know each other")
        .isEqualTo(sent);
    for (int i = 0; i < 200; i++) {
      second();
      assertThat(one.acts(two)).as("permanently").isTrue();
    }
    assertThat(one.engine.counters().get(Counter.MESSAGES_SENT)).isLessThan(20);
  }

  @Test
  void aNodeInShadowModeIsAPeerThatDoesNotAct() {
    Node one = new Node(1, Mode.ON);
    Node two = new Node(2, Mode.SHADOW);
    knowEachOther();
    second();
    assertThat(one.acts(two)).isFalse();
    assertThat(one.engine.signs().isPeer(one.engine.nodes().find(two.address), now)).isTrue();
    assertThat(two.acts(one)).isTrue();
  }

  @Test
  void nodesWithoutManxAreGreetedInTurnAFewASecond() {
    Node one = new Node(1, Mode.ON);
    for (int last = 2; last <= 51; last++) {
      one.post.live.add(FakeConnections.node(last));
    }
    Set<InetAddressAndPort> greeted = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      one.greetings.greet(one.engine);
      assertThat(one.post.sent).hasSize(Greetings.MOST);
      one.post.sent.forEach(sent -> greeted.add(sent.to()));
      one.post.sent.clear();
    }
    assertThat(greeted).as("all, in seven seconds").hasSize(50).doesNotContain(one.address);
  }

  @Test
  void nodesWithManxDoNotForgetEachOtherAmongAThousandWithout() {
    Node one = new Node(1, Mode.ON);
    Node two = new Node(2, Mode.ON);
    knowEachOther();
    for (int other = 0; other < 1_000; other++) {
      InetAddressAndPort stock = FakeConnections.node(1 + other / 250, 1 + other % 250);
      one.post.live.add(stock);
      two.post.live.add(stock);
    }
    boolean met = false;
    for (int i = 0; i < 600; i++) {
      second();
      met |= one.acts(two);
      assertThat(one.acts(two)).as("after %d s", i).isEqualTo(met);
    }
    assertThat(met).isTrue();
  }

  @Test
  void theTurnGoesOnThoughTheOneGreetedLastHasLeft() {
    Node one = new Node(1, Mode.ON);
    for (int last = 2; last <= 20; last++) {
      one.post.live.add(FakeConnections.node(last));
    }
    one.greetings.greet(one.engine);
    InetAddressAndPort last = one.post.sent.get(Greetings.MOST - 1).to();
    one.post.live.remove(last);
    one.post.sent.clear();
    one.greetings.greet(one.engine);
    assertThat(one.post.sent.get(0).to()).isEqualTo(FakeConnections.node(2 + Greetings.MOST));
  }

  @Test
  void aSingleNodeSendsNoGreeting() {
    Node one = new Node(1, Mode.ON);
    one.greetings.greet(one.engine);
    one.post.live.clear();
    one.greetings.greet(one.engine);
    assertThat(one.post.sent).isEmpty();
  }
}
