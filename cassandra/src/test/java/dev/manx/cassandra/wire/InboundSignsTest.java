/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Mode;
import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How a node uses answers as signs of Manx at the others. */
class InboundSignsTest {
  private long now = 7_000_000_000L;

  private InetAddressAndPort peer;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private Engine engine(Mode mode) throws UnknownHostException {
    peer = InetAddressAndPort.getByName("127.0.0.2");
    Engine engine = TestEngines.of("strategy: {}", () -> now, mode, self -> self);
    engine.nodes().id(peer);
    return engine;
  }

  /** An answer as sent by a node in a mode; null for one without Manx. */
  private Message<?> answer(Engine engine, Mode of) {
    Message<NoPayload> plain =
        Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(peer).withId(1).build();
    byte[] facts = engine.strategy().facts().encode(engine.load());
    return of == null ? plain : CustomMap.withFacts(plain, facts, of == Mode.ON);
  }

  private void check(Mode here, Mode there, boolean peer, boolean acts)
      throws UnknownHostException {
    Engine engine = engine(here);
    int node = engine.nodes().find(this.peer);
    Message<?> answer = answer(engine, there);
    InboundFilter filter = new InboundFilter(() -> engine);
    filter.test(answer);
    now += 2 * Signs.GRACE_NANOS;
    filter.test(answer);
    assertThat(engine.signs().answeredWithin(node, 0, now)).as("%s to %s", there, here).isTrue();
    assertThat(engine.signs().isPeer(node, now)).as("%s to %s", there, here).isEqualTo(peer);
    assertThat(engine.signs().acts(node, now)).as("%s for %s", there, here).isEqualTo(acts);
    assertThat(engine.signs().isWithout(node, now)).isEqualTo(!acts);
  }

  @Test
  void onlyNodesThatAreOnActForOneThatIsOn() throws UnknownHostException {
    check(Mode.ON, Mode.ON, true, true);
    check(Mode.ON, Mode.SHADOW, true, false);
    check(Mode.ON, null, false, false);
  }

  @Test
  void allNodesWithManxActForOneInShadowMode() throws UnknownHostException {
    check(Mode.SHADOW, Mode.ON, true, true);
    check(Mode.SHADOW, Mode.SHADOW, true, true);
    check(Mode.SHADOW, null, false, false);
  }
}
