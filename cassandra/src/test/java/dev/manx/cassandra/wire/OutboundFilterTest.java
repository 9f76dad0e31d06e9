/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers on their way to their coordinator. */
@Timeout(60)
class OutboundFilterTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** Cassandra passes each message to the filter, also the copy that the filter sends. */
  @Test
  void anAnswerWithFactsPassesThoughFactsAreDue() throws UnknownHostException {
    Engine engine = TestEngines.of("strategy: manx", () -> 7);
    InetAddressAndPort peer = InetAddressAndPort.getByName("127.0.0.2");
    Message<NoPayload> answer =
        Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(peer).withId(1).build();
    OutboundFilter filter = new OutboundFilter(() -> engine);
    for (boolean acting : new boolean[] {true, false}) {
      for (byte[] facts : new byte[][] {{}, engine.strategy().facts().encode(engine.load())}) {
        assertThat(filter.test(CustomMap.withFacts(answer, facts, acting), peer)).isTrue();
      }
    }
    assertThat(engine.counters().get(Counter.FACTS_SENT)).isZero();
    int node = engine.nodes().id(peer);
    assertThat(engine.pace().isDue(node, true, 7)).as("facts were due all the time").isTrue();
    assertThat(filter.test(answer, peer)).as("facts are not due").isTrue();
  }
}
