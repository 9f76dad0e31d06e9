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

/** What a node takes from answers about Manx at the others. */
class InboundSignsTest {
  private static final long NOW = 7_000_000_000L;

  private InetAddressAndPort peer;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private Engine engine(Mode mode) throws UnknownHostException {
    peer = InetAddressAndPort.getByName("127.0.0.2");
    Engine engine = TestEngines.of("strategy: {}", () -> NOW, mode, self -> self);
    engine.nodes().id(peer);
    return engine;
  }

  /** An answer as a node in a mode sends it; null for one without Manx. */
  private Message<?> answer(Engine engine, Mode of) {
    Message<NoPayload> plain =
        Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(peer).withId(1).build();
    byte[] facts = engine.strategy().facts().encode(engine.load());
    return of == null ? plain : CustomMap.withFacts(plain, facts, of == Mode.ON);
  }

  private void check(Mode here, Mode there, boolean peerOfOurs) throws UnknownHostException {
    Engine engine = engine(here);
    int node = engine.nodes().find(peer);
    new InboundFilter(() -> engine).test(answer(engine, there));
    assertThat(engine.signs().isPeer(node, NOW)).as("%s to %s", there, here).isEqualTo(peerOfOurs);
    assertThat(engine.signs().isWithout(node, NOW)).isEqualTo(!peerOfOurs);
  }

  @Test
  void aNodeThatIsOnTakesOnlyOthersThatAreOnForPeers() throws UnknownHostException {
    check(Mode.ON, Mode.ON, true);
    check(Mode.ON, Mode.SHADOW, false);
    check(Mode.ON, null, false);
  }

  @Test
  void aNodeInShadowModeTakesAllWithManxForPeers() throws UnknownHostException {
    check(Mode.SHADOW, Mode.ON, true);
    check(Mode.SHADOW, Mode.SHADOW, true);
    check(Mode.SHADOW, null, false);
  }
}
