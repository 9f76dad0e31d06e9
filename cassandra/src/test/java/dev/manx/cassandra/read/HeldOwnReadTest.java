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
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;
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

  @Test
  void aReadRunsAlthoughItsDescriptionThrows() throws Exception {
    runsAlthoughItsDescriptionThrows(new IllegalStateException("another shape"));
  }

  @Test
  void aReadRunsAlthoughItsDescriptionMeetsAnErrorOfTheVm() throws Exception {
    runsAlthoughItsDescriptionThrows(new OutOfMemoryError("test"));
  }
}
