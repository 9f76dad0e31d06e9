/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.TagCodec;
import java.lang.reflect.Proxy;
import java.net.UnknownHostException;
import java.util.Map;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an order is told of the reads that find a free thread, which it does not see. */
@Timeout(60)
class PassedReadsTest {
  private static final int THREADS = 2;

  private Engine engine = TestEngines.of("strategy: manx", () -> 0);
  private int active;
  private int ids;

  private final LocalAwareExecutorPlus stock =
      (LocalAwareExecutorPlus)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {LocalAwareExecutorPlus.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "execute" -> null;
                    case "getMaximumPoolSize" -> THREADS;
                    case "getActiveTaskCount" -> active;
                    case "getPendingTaskCount" -> 0;
                    default -> throw new UnsupportedOperationException(method.toString());
                  });

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private record Arrival(Message<ReadCommand> message) implements Runnable {
    @Override
    public void run() {}
  }

  private static final class Arrivals extends ReadRunnables {
    Arrivals() throws ReflectiveOperationException {}

    @Override
    Message.Header header(Runnable runnable) {
      return ((Arrival) runnable).message.header;
    }

    @Override
    Message<?> message(Runnable runnable) {
      return null;
    }

    @Override
    ReadCommand command(Runnable runnable) {
      return ((Arrival) runnable).message.payload;
    }
  }

  private ReadStage stage() throws Exception {
    engine.nodes().id(InetAddressAndPort.getByName("127.0.0.2"));
    return new ReadStage(stock, engine, () -> engine, new Arrivals());
  }

  private void passing(ReadStage stage, int reads) throws UnknownHostException {
    active = 0;
    for (int read = 0; read < reads; read++) {
      stage.execute(new Arrival(message("SELECT * FROM ks.plain WHERE k = 1")));
    }
    active = THREADS;
  }

  private QueuedRead queued(ReadStage stage, String query) throws UnknownHostException {
    stage.execute(new Arrival(message(query)));
    return stage.next();
  }

  private Message<ReadCommand> message(String query) throws UnknownHostException {
    return Message.builder(Verb.READ_REQ, TestSchema.command(query))
        .from(InetAddressAndPort.getByName("127.0.0.2"))
        .withId(++ids)
        .withParam(
            ParamType.CUSTOM_MAP,
            Map.of("manx", TagCodec.encode(Unit.NANOS, 1_000_000, 0, 1_000_000, 0)))
        .build();
  }

  @Test
  void theirNumberComesWithTheNextReadThatWaits() throws Exception {
    ReadStage stage = stage();
    passing(stage, 5);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isEqualTo(5);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isZero();
    passing(stage, 3);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isEqualTo(3);
  }

  /** If half of the waiting reads are ranked, half of those that passed count as such. */
  @Test
  void thoseBeforeAReadWithoutARankCountForNoOrder() throws Exception {
    ReadStage stage = stage();
    passing(stage, 5);
    QueuedRead scan = queued(stage, "SELECT * FROM ks.plain");
    assertThat(scan.isInTurn()).isTrue();
    assertThat(scan.passedBefore).isZero();
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isZero();
  }

  @Test
  void thoseBeforeASwitchCountForNoLaterOrder() throws Exception {
    ReadStage stage = stage();
    passing(stage, 5);
    stage.use(engine);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isZero();
  }

  /** Held reads of this node's own data, as well. */
  @Test
  void aHeldReadThatFindsAFreeThreadIsOneOfThem() throws Exception {
    ReadStage stage = stage();
    active = THREADS;
    QueuedRead held = queued(stage, "SELECT * FROM ks.plain WHERE k = 1");
    assertThat(held).isNotNull();
    active = 0;
    stage.enter(engine, held, () -> {}, null);
    active = THREADS;
    assertThat(engine.counters().get(Counter.ORDER_PASSED)).isEqualTo(1);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isEqualTo(1);
  }

  /** Their count takes time at each read that is queued. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy: { order: order.fifo }",
        "strategy: { order: { policy: order.boost, beta: 1ms }, fanout: fanout.brb-equalmax }"
      })
  void anOrderThatDoesNotCountThemIsToldOfNone(String strategy) throws Exception {
    engine = TestEngines.of(strategy, () -> 0);
    ReadStage stage = stage();
    passing(stage, 5);
    assertThat(engine.counters().get(Counter.ORDER_PASSED)).isEqualTo(5);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isZero();
    engine = TestEngines.of("strategy: manx", () -> 0);
    stage.use(engine);
    passing(stage, 3);
    assertThat(queued(stage, "SELECT * FROM ks.plain WHERE k = 1").passedBefore).isEqualTo(3);
  }
}
