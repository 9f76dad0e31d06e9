/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.coordinate.TestPlans;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.FakeCallbacks;
import dev.manx.cassandra.tied.TestTies;
import java.net.UnknownHostException;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A coordinator's own reads of requests that are left to stock and only followed. */
@Timeout(60)
class FollowedReadTest {
  private static final int HOME = 0;
  private static final int PEER = 1;

  private final FakeCallbacks callbacks = new FakeCallbacks();
  private SinglePartitionReadCommand command;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void end() {
    TestPlans.close();
  }

  private Engine engine(Mode mode) throws UnknownHostException {
    Engine engine = TestEngines.of("strategy: manx-tied", () -> 7, mode, self -> self);
    command = (SinglePartitionReadCommand) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    Range<Token> ring =
        new Range<>(
            Murmur3Partitioner.instance.getMinimumToken(),
            Murmur3Partitioner.instance.getMinimumToken());
    InetAddressAndPort[] nodes = new InetAddressAndPort[2];
    for (int node = 0; node < nodes.length; node++) {
      nodes[node] = InetAddressAndPort.getByName("127.0.0." + (node + 2));
      assertThat(engine.nodes().id(nodes[node])).isEqualTo(node);
      engine.signs().heard(node, true, 7);
    }
    callbacks.ofHome =
        EndpointsForToken.of(
            command.partitionKey().getToken(),
            Replica.fullReplica(nodes[HOME], ring),
            Replica.fullReplica(nodes[PEER], ring));
    TestTies.use(engine, callbacks);
    return engine;
  }

  private QueuedRead waiting(Engine engine, ReadDescriber describer, boolean aside)
      throws Throwable {
    TestPlans.open(engine, command, 1, aside, HOME, PEER);
    return describer.describe(engine, () -> {}, () -> {}, true);
  }

  /** As the reads of the same request at other nodes, which get no tag. */
  @Test
  void aReadThatIsOnlyFollowedIsNotRankedAndNotPassedOn() throws Throwable {
    for (Mode mode : new Mode[] {Mode.ON, Mode.SHADOW}) {
      Engine engine = engine(mode);
      ReadDescriber describer = new ReadDescriber(new PlayedReads(command));
      QueuedRead planned = waiting(engine, describer, false);
      assertThat(planned.isInTurn()).as("%s, planned", mode).isFalse();
      assertThat(engine.counters().get(Counter.COPIES_OFFERED)).isEqualTo(1);

      QueuedRead followed = waiting(engine, describer, true);
      assertThat(followed.isInTurn()).as("%s, followed", mode).isTrue();
      assertThat(followed.requestId).isZero();
      assertThat(engine.counters().get(Counter.COPIES_OFFERED)).isEqualTo(1);
      assertThat(engine.counters().get(Counter.TICKETS_OPENED)).as("both").isEqualTo(2);
    }
  }

  @Test
  void readsThatAreOnlyFollowedAreNotIneligibleForCopies() throws Throwable {
    Engine engine = engine(Mode.ON);
    TestPlans.open(engine, command, 2, true, HOME, PEER);
    assertThat(ThreadPlan.current().flight()).isNull();
    assertThat(engine.counters().get(Counter.COPIES_INELIGIBLE)).isZero();
    TestPlans.open(engine, command, 2, false, HOME, PEER);
    assertThat(engine.counters().get(Counter.COPIES_INELIGIBLE)).isEqualTo(1);
  }
}
