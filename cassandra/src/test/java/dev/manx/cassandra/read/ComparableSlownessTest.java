/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.TagCodec;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The slowness of a replica whose reads all take 4 ms, which is its own forecast as well: it
 * coordinates nothing and hears of no other node.
 */
@Timeout(60)
class ComparableSlownessTest {
  private static final long MILLI = 1_000_000;
  private static final String KEYS =
      "strategy: { select: select.lor, order: order.bottleneck, fanout: fanout.rein-sbf,"
          + " oracles: { forecast: { small-default: 4ms } }, facts: [slowness] }";
  private static final String NANOS =
      "strategy: { select: select.low, order: order.boost, fanout: fanout.brb-equalmax,"
          + " oracles: { forecast: { small-default: 4ms } }, facts: [slowness] }";

  private long now;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** A runnable of the read stage that serves a message. */
  private static final class Received extends ReadRunnables {
    private Message<ReadCommand> message;

    Received() throws ReflectiveOperationException {}

    @Override
    Message.Header header(Runnable task) {
      return message.header;
    }

    @Override
    ReadCommand command(Runnable task) {
      return message.payload;
    }

    @Override
    boolean isLocal(Runnable task) {
      return false;
    }
  }

  /** Serves reads, each in 4 ms. */
  private final class Replica {
    private final Engine engine;
    private final InetAddressAndPort peer = InetAddressAndPort.getByName("127.0.0.2");
    private final Received runnables = new Received();
    private final ReadDescriber describer = new ReadDescriber(runnables);
    private int keys;

    Replica(String strategy) throws Exception {
      engine = TestEngines.of(strategy, () -> now);
      engine.nodes().id(peer);
    }

    /** Serves reads of different keys, and returns the slowness. */
    long serve(int reads, byte[] tag) throws Throwable {
      for (int i = 0; i < reads; i++) {
        runnables.message = message(peer, keys++, tag);
        QueuedRead[] read = new QueuedRead[1];
        Runnable serves =
            () -> {
              now += 4 * MILLI;
              read[0].answeredWith(runnables.message.payload.createEmptyResponse());
            };
        read[0] = describer.describe(engine, serves, serves, false);
        assertThat(read[0].costNanos).as("its work in this queue").isEqualTo(4 * MILLI);
        read[0].run();
      }
      return engine.load().value(FactColumn.SLOWNESS);
    }
  }

  /** The slowness after reads of forty keys. */
  private long served(String strategy, byte[] tag) throws Throwable {
    return new Replica(strategy).serve(40, tag);
  }

  private static Message<ReadCommand> message(InetAddressAndPort from, int key, byte[] tag)
      throws UnknownHostException {
    Message.Builder<ReadCommand> message =
        Message.builder(
                Verb.READ_REQ, TestSchema.command("SELECT * FROM ks.plain WHERE k = " + key))
            .from(from)
            .withId(key + 1);
    return tag == null
        ? message.build()
        : message.withParam(ParamType.CUSTOM_MAP, Map.of("manx", tag)).build();
  }

  private static byte[] tag(Unit unit, long forecastNanos) {
    return TagCodec.encode(unit, 3, 0, forecastNanos, 0);
  }

  /** The coordinator has the mean over all nodes, so the quotients of nodes are comparable. */
  @Test
  void itIsMeasuredByTheCoordinatorsForecast() throws Throwable {
    assertThat(served(NANOS, tag(Unit.NANOS, MILLI))).isEqualTo(4_000);
  }

  /** Ranks in keys: the forecast in a tag is a duration nevertheless. */
  @Test
  void alsoIfRanksAreNotDurations() throws Throwable {
    assertThat(served(KEYS, tag(Unit.KEYS, MILLI))).isEqualTo(4_000);
  }

  /** A faulty coordinator would otherwise make the node look fast for thousands of reads. */
  @Test
  void aForecastBeyondEveryReadsLifeHardlyCounts() throws Throwable {
    Replica replica = new Replica(NANOS);
    assertThat(replica.serve(20_000, tag(Unit.NANOS, MILLI))).isEqualTo(4_000);
    replica.serve(1, tag(Unit.NANOS, Long.MAX_VALUE / 2));
    assertThat(replica.serve(32, tag(Unit.NANOS, MILLI))).isBetween(3_800L, 4_200L);
  }

  @Test
  void withoutTheCoordinatorsForecastItIsMeasuredByItsOwn() throws Throwable {
    assertThat(served(NANOS, null)).as("no tag").isEqualTo(1_000);
    assertThat(served(NANOS, tag(Unit.NANOS, 0))).as("no forecast").isEqualTo(1_000);
    assertThat(served(NANOS, tag(Unit.KEYS, MILLI))).as("an unreadable tag").isEqualTo(1_000);
  }
}
