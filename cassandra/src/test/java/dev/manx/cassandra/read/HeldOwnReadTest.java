/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.hold.Departures;
import dev.manx.cassandra.hold.RequestHolds;
import dev.manx.cassandra.hold.TestHolds;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.service.reads.ReadCallback;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A held read of this node's own data runs, although Manx fails to describe it. */
@Timeout(60)
class HeldOwnReadTest {
  private static final long MILLI = 1_000_000;

  private final VirtualStage stock = new VirtualStage(1);
  private final AtomicReference<Engine> present = new AtomicReference<>();
  private int ran;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** A Cassandra whose runnables have another shape than expected. */
  private static final class Unknown implements Departures {
    private final Throwable failure;

    Unknown(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public RequestCallback<?> take(long messageId, InetAddressAndPort to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int answers(long messageId, InetAddressAndPort to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int answers(Runnable read) {
      return 0;
    }

    @Override
    public boolean isAnswered(RequestCallback<?> callback) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isAnswered(Runnable read) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void send(Message<?> message, InetAddressAndPort to, RequestCallback<?> callback) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Runnable later(Runnable read) {
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public long expiresAtNanos(Runnable read) {
      return Long.MAX_VALUE;
    }
  }

  private void runsAlthoughItsDescriptionThrows(Throwable failure) throws Exception {
    runs(failure, false);
    runs(failure, true);
  }

  private void runs(Throwable failure, boolean retry) throws Exception {
    ran = 0;
    long start = stock.now();
    Engine whole = TestEngines.of("strategy: manx", stock::now, Mode.ON, self -> present.get());
    Engine lenient = TestEngines.failing(whole, "no part");
    present.set(lenient);
    TestHolds.use(lenient);
    ReadStage stage = new ReadStage(stock.executor(), whole, present::get, new ReadRunnables());
    HeldOwnRead read =
        new HeldOwnRead(
            lenient,
            new RequestHolds(),
            stage,
            new Unknown(failure),
            stock.watched(() -> ran++, 10),
            ExecutorLocals.current(),
            null,
            -1);
    boolean held =
        retry
            ? lenient.holds().holdRetry(read, (now, answers) -> MILLI, 4 * MILLI)
            : lenient.holds().hold(read, MILLI);
    assertThat(held).isTrue();
    stock.runUntil(start + MILLI);
    TestHolds.release(lenient);
    stock.runUntil(start + 2 * MILLI);
    assertThat(ran).isEqualTo(1);
    assertThat(lenient.holds().held()).isZero();
    assertThat(lenient.counters().get(Counter.HOLDS_DROPPED)).isZero();
    assertThat(lenient.counters().get(Counter.RETRIES_SPARED)).isZero();
  }

  /** Runnables whose description goes no further than the ticket. */
  private static final class OfNoCallback extends ReadRunnables {
    private final ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    private final Runnable opened;

    OfNoCallback(Runnable opened) throws ReflectiveOperationException {
      this.opened = opened;
    }

    @Override
    ReadCommand command(Runnable runnable) {
      return command;
    }

    @Override
    Map<?, ?> failures(ReadCallback<?, ?> handler) {
      opened.run();
      return Map.of();
    }
  }

  /** Holds a read with a plan, whose description runs a test's code once its ticket is open. */
  private void holdsPlanned(Engine engine, Runnable opened) throws Exception {
    ReadStage stage =
        new ReadStage(stock.executor(), engine, present::get, new OfNoCallback(opened));
    HeldOwnRead read =
        new HeldOwnRead(
            engine,
            new RequestHolds(),
            stage,
            new Unknown(new IllegalStateException("its start")),
            stock.watched(() -> ran++, 10),
            ExecutorLocals.current(),
            new PlannedRead(MILLI, 1, 0, 0, 7, true),
            -1);
    TestHolds.use(engine);
    assertThat(engine.holds().hold(read, MILLI)).isTrue();
    stock.runUntil(stock.now() + MILLI);
  }

  private Engine lenient() {
    Engine whole = TestEngines.of("strategy: manx", stock::now, Mode.ON, self -> present.get());
    Engine lenient = TestEngines.failing(whole, "no part");
    present.set(lenient);
    return lenient;
  }

  /** Otherwise it would count as a time-out of this node, and end the calm. */
  @Test
  void theTicketOfAReadIsClosedThoughItsDescriptionThrows() throws Exception {
    Engine engine = lenient();
    holdsPlanned(
        engine,
        () -> {
          throw new IllegalStateException("another shape");
        });
    TestHolds.release(engine);
    stock.runUntil(stock.now() + MILLI);
    assertThat(ran).isEqualTo(1);
    assertThat(engine.counters().get(Counter.TICKETS_OPENED)).isEqualTo(1);
    assertThat(engine.state().tickets().size()).isZero();
  }

  /** A policy of an earlier strategy keeps the thread that describes it for a while. */
  @Test
  void theTicketOfAReadIsClosedThoughAnotherThreadLetItEnter() throws Exception {
    Engine engine = lenient();
    CountDownLatch opened = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    holdsPlanned(
        engine,
        () -> {
          opened.countDown();
          await(release);
        });
    Thread kept = new Thread(() -> TestHolds.release(engine));
    kept.start();
    opened.await();
    assertThat(engine.state().tickets().size()).isEqualTo(1);
    present.set(TestEngines.failing(engine, "no part"));
    stock.runUntil(stock.now() + 20 * MILLI);
    TestHolds.release(engine);
    stock.runUntil(stock.now() + MILLI);
    assertThat(ran).isEqualTo(1);
    assertThat(engine.state().tickets().size()).isZero();
    release.countDown();
    kept.join();
    stock.runUntil(stock.now() + MILLI);
    assertThat(ran).isEqualTo(1);
    assertThat(engine.counters().get(Counter.TICKETS_CANCELLED)).isEqualTo(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aReadRunsAlthoughItsDescriptionThrows() throws Exception {
    runsAlthoughItsDescriptionThrows(new IllegalStateException("another shape"));
  }

  @Test
  void aReadRunsAlthoughItsDescriptionMeetsAnErrorOfTheVm() throws Exception {
    runsAlthoughItsDescriptionThrows(new OutOfMemoryError("test"));
  }
}
