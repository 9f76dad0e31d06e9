/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.policy.facts.LocalLoad;
import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a coordinator with busy cores uses answers about queues at other nodes. */
@Timeout(60)
class InboundQueuesTest {
  private static final long NOW = 7_000_000_000L;
  private static final long READ_NANOS = 5_000_000;
  private static final int THREADS = 32;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static Engine afterAnAnswer(int waiting, boolean saturatedThere)
      throws UnknownHostException {
    Engine engine = TestEngines.calm("strategy: manx", () -> NOW);
    InetAddressAndPort peer = InetAddressAndPort.getByName("127.0.0.2");
    engine.nodes().id(peer);
    engine.queues().cores(1);
    engine.queues().tick(0, READ_NANOS, false, THREADS, NOW + 2);
    assertThat(engine.queues().isCalm()).isTrue();
    LocalLoad there = new LocalLoad();
    there.sampled(false, READ_NANOS, READ_NANOS, READ_NANOS);
    for (int i = 0; i < waiting; i++) {
      there.enqueued(READ_NANOS);
    }
    there.waitsForCores(saturatedThere);
    Message<NoPayload> plain =
        Message.builder(Verb.READ_RSP, NoPayload.noPayload).from(peer).withId(1).build();
    byte[] facts = engine.strategy().facts().encode(there);
    new InboundFilter(() -> engine).test(CustomMap.withFacts(plain, facts, true));
    return engine;
  }

  @Test
  void aQueueAtANodeWithIdleCoresEndsTheCalm() throws UnknownHostException {
    assertThat(afterAnAnswer(THREADS / 2, false).queues().isCalm()).isTrue();
    assertThat(afterAnAnswer(THREADS / 2 + 1, false).queues().isCalm()).isFalse();
  }

  @Test
  void aQueueThatWaitsForCoresDoesNot() throws UnknownHostException {
    assertThat(afterAnAnswer(100 * THREADS, true).queues().isCalm()).isTrue();
  }
}
