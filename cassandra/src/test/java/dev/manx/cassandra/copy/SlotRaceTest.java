/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Ticket;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whichever ends of the two copies race, one of them fills the slot, and every counter adds up. */
@Timeout(60)
class SlotRaceTest {
  private static final int ROUNDS = 1_000;

  private final CopyBench bench = new CopyBench(", burst: 100000", Mode.ON);
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final CyclicBarrier start = new CyclicBarrier(2);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private interface End {
    void of(Sent read, Message<?> copy);
  }

  private void race(End one, End other) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Sent read = bench.single();
      int before = bench.callbacks.sent.size();
      bench.pass(12 * MILLI);
      assertThat(bench.callbacks.sent).hasSize(before + 1);
      Message<?> copy = bench.callbacks.sent.get(before);
      Future<?> first = threads.submit(() -> meet(() -> one.of(read, copy)));
      Future<?> second = threads.submit(() -> meet(() -> other.of(read, copy)));
      first.get();
      second.get();
      // A first copy that was overtaken, or whose slot has ended, still has its ticket.
      bench.engine.closed(read.message().id(), CopyBench.FIRST, Outcome.TIMED_OUT, new Ticket());
    }
    assertThat(bench.callbacks.filledByFirst.get() + bench.callbacks.filledBySecond.get())
        .as("each slot is filled once")
        .isEqualTo(ROUNDS);
    assertThat(bench.callbacks.filledBySecond.get())
        .isEqualTo((int) bench.count(Counter.COPIES_WON));
    assertThat(bench.addsUp()).as("every copy has exactly one end").isTrue();
    assertThat(bench.engine.state().tickets().size()).isZero();
    assertThat(bench.engine.copier().underWay()).isZero();
  }

  private Void meet(Runnable end) throws Exception {
    start.await();
    end.run();
    return null;
  }

  @Test
  void answerAndAnswer() throws Exception {
    race(
        (read, copy) -> bench.answerOfFirst(read),
        (read, copy) -> bench.answerOfSecond(copy, false));
  }

  @Test
  void answerAndFailure() throws Exception {
    race(
        (read, copy) -> bench.answerOfFirst(read),
        (read, copy) -> bench.answerOfSecond(copy, true));
    assertThat(bench.count(Counter.COPIES_FAILED)).isEqualTo(ROUNDS);
  }

  @Test
  void expiryAndAnswer() throws Exception {
    race(
        (read, copy) -> {
          bench.callbacks.endOfFirst(read.message().id());
          bench.expire();
        },
        (read, copy) -> bench.answerOfSecond(copy, false));
  }

  @Test
  void offAndAnswer() throws Exception {
    race(
        (read, copy) -> {
          bench
              .engine
              .copier()
              .ends()
              .forget(() -> bench.engine.counters().count(Counter.COPIES_LOST));
          bench.engine.closed(copy.id(), CopyBench.SECOND, Outcome.CANCELLED, new Ticket());
          bench.callbacks.endOfFirst(read.message().id());
        },
        (read, copy) -> bench.answerOfSecond(copy, false));
  }

  /** A read that runs answers in any case; its copy may, too, as stock's second attempts do. */
  @Test
  void startAtHomeAndAnswer() throws Exception {
    int answered = 0;
    for (int round = 0; round < ROUNDS; round++) {
      SentRead read = bench.atHome();
      bench.pass(12 * MILLI);
      Message<?> copy = bench.callbacks.sent.get(round);
      Future<Boolean> starts =
          threads.submit(
              () -> {
                start.await();
                return read.start();
              });
      Future<?> second = threads.submit(() -> meet(() -> bench.answerOfSecond(copy, false)));
      boolean runs = starts.get();
      second.get();
      int byCopies = bench.callbacks.answeredAtHome.get();
      assertThat(byCopies - answered).as("by its copy, round %d", round).isBetween(runs ? 0 : 1, 1);
      answered = byCopies;
      bench.endAtHome(read, runs);
    }
    assertThat(bench.addsUp()).isTrue();
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  @Test
  void expiryAtHomeAndAnswer() throws Exception {
    int expired = 0;
    for (int round = 0; round < ROUNDS; round++) {
      SentRead read = bench.atHome();
      bench.pass(12 * MILLI);
      Message<?> copy = bench.callbacks.sent.get(round);
      Future<?> first = threads.submit(() -> meet(() -> bench.expireAtHome(read)));
      Future<?> second = threads.submit(() -> meet(() -> bench.answerOfSecond(copy, false)));
      first.get();
      second.get();
      expired += read.hasWon() ? 0 : 1;
    }
    assertThat(expired + bench.callbacks.answeredAtHome.get()).isEqualTo(ROUNDS);
    assertThat(bench.addsUp()).isTrue();
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  /** The callback that waits for a read at home is known as long as the read can be won. */
  @Test
  void aReadThatIsOpenKnowsWhoWaits() throws Exception {
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    ReadCallback<?, ?> waiting = bench.waiting(command);
    Request request = bench.planned(1, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    SentRead[] reads = new SentRead[200_000];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = SentRead.atHome(flight, command, waiting, i, 0, null, 1, request, 0, 0);
    }
    Future<?> closes =
        threads.submit(
            () ->
                meet(
                    () -> {
                      for (SentRead read : reads) {
                        read.close(SentRead.State.ENDED);
                      }
                    }));
    start.await();
    for (SentRead read : reads) {
      boolean known;
      boolean open;
      do {
        known = read.handler() != null;
        open = read.isOpen();
        assertThat(known || !open).isTrue();
      } while (open);
    }
    closes.get();
    assertThat(reads[0].handler()).as("nothing is kept longer").isNull();
  }
}
