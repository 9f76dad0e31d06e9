/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static dev.manx.cassandra.tied.TiedBench.MILLI;
import static dev.manx.cassandra.tied.TiedBench.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.tied.TiedBench.Sent;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whichever events of the two copies race, each read is answered once, and every counter adds up.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TieRaceTest {
  private static final int ROUNDS = 1_000;

  private final TiedBench bench = new TiedBench(", burst: 100000, most-in-vain: 100%", Mode.ON);
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final CyclicBarrier start = new CyclicBarrier(2);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private void both(Callable<?> one, Callable<?> other) throws Exception {
    Future<?> first = threads.submit(() -> meet(one));
    Future<?> second = threads.submit(() -> meet(other));
    first.get();
    second.get();
  }

  private <T> T meet(Callable<T> task) throws Exception {
    start.await();
    return task.call();
  }

  /** Then no filter would take the answer of a copy, and the read's replica has dropped it. */
  @Test
  void aReadIsNotOfferedWhileManxGoesOff() {
    bench.callbacks.onCandidates = bench.ties()::leave;
    assertThat(bench.send().tie()).isNull();
    assertThat(bench.ties().isDone()).isTrue();
    assertThat(count(bench.coordinator, Counter.COPIES_OFFERED)).isZero();
  }

  /** Both replicas start the read at once; some copies wait at the peer, some do not. */
  @Test
  void bothStart() throws Exception {
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sent sent = bench.send();
      TiedRead first = bench.queuedAtFirst(sent);
      bench.pass(2 * MILLI);
      Message<?> copy = bench.ofFirst.sent.get(round);
      TiedRead atPeer = round % 2 == 0 ? bench.queuedAtPeer(copy) : null;
      both(
          () -> first.start() && bench.answerOfFirst(sent),
          () ->
              (atPeer == null || atPeer.start())
                  && bench.serveAtPeer(copy)
                  && bench.answerOfPeer(sent.message().id()));
      // The first replica's own answer may have been the second.
      read = bench.read.size();
    }
    long both = count(bench.first, Counter.COPIES_BOTH_RAN);
    assertThat(bench.callbacks.filledByFirst.get() + bench.callbacks.filledBySecond.get())
        .as("each slot is filled once")
        .isEqualTo(ROUNDS);
    assertThat(count(bench.coordinator, Counter.COPIES_WON))
        .isEqualTo(bench.callbacks.filledBySecond.get());
    assertThat(count(bench.first, Counter.COPIES_PASSED_ON)).isEqualTo(ROUNDS);
    assertThat(
            count(bench.first, Counter.READS_CEDED) + count(bench.first, Counter.COPIES_RECALLED))
        .as("each read passed on starts here, or is ceded")
        .isEqualTo(ROUNDS);
    assertThat(count(bench.peer, Counter.COPIES_STARTED)).isEqualTo(read);
    assertThat(
            count(bench.peer, Counter.COPIES_STARTED) + count(bench.peer, Counter.COPIES_CANCELLED))
        .as("each copy starts, or is cancelled")
        .isEqualTo(ROUNDS);
    assertThat(read - both).isEqualTo(count(bench.first, Counter.READS_CEDED));
    assertThat(bench.coordinator.state().tickets().size()).isZero();
    assertThat(bench.ties().slots().size()).isZero();
    assertThat(bench.ofPeer().copies().size()).isZero();
  }

  /** A read's turn comes while the timer passes it on. */
  @Test
  void startAndPassingOn() throws Exception {
    int sent = 0;
    for (int round = 0; round < ROUNDS; round++) {
      TiedRead first = bench.queuedAtFirst(bench.send());
      bench.now.addAndGet(3 * MILLI);
      both(
          first::start,
          () -> {
            bench.first.ties().passedOn().advance(bench.now.get());
            return null;
          });
      sent = bench.ofFirst.sent.size();
    }
    assertThat(bench.recalls).as("each copy sent is recalled").hasValue(sent);
    assertThat(count(bench.first, Counter.COPIES_RECALLED)).isEqualTo(sent);
    assertThat(count(bench.first, Counter.COPIES_PASSED_ON)).isEqualTo(sent);
  }

  /** A copy fails while the read's turn comes at its first replica. */
  @Test
  void failureAndStart() throws Exception {
    int ran = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sent sent = bench.send();
      TiedRead first = bench.queuedAtFirst(sent);
      bench.pass(2 * MILLI);
      Message<?> copy = bench.ofFirst.sent.get(round);
      bench.serveAtPeer(copy);
      Message<?> failure = bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copy.id());
      boolean[] runs = new boolean[1];
      both(() -> runs[0] = first.start(), () -> bench.first.ties().take(failure));
      ran += runs[0] ? 1 : 0;
    }
    assertThat(ran + bench.ofFirst.served.size()).as("each read runs once").isEqualTo(ROUNDS);
    assertThat(count(bench.first, Counter.COPIES_FAILED)).isEqualTo(ROUNDS);
    assertThat(bench.first.ties().isDone()).isTrue();
  }

  /** The notice that a copy has started arrives with its failure. */
  @Test
  void noticeAndFailure() throws Exception {
    bench.loseNotices.set(true);
    for (int round = 0; round < ROUNDS; round++) {
      TiedRead first = bench.queuedAtFirst(bench.send());
      bench.pass(2 * MILLI);
      Message<?> copy = bench.ofFirst.sent.get(round);
      Message<?> failure = bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copy.id());
      both(
          () -> bench.first.ties().started(bench.endpoint(TiedBench.PEER), TieForm.id(copy.id())),
          () -> bench.first.ties().take(failure));
      assertThat(first.start()).as("no other replica serves it").isTrue();
      bench.first.load().started(TiedBench.COST * MILLI);
    }
    assertThat(bench.first.load().workAheadNanos()).isZero();
    assertThat(bench.first.ties().isDone()).isTrue();
  }

  /** A copy's answer arrives while the read's turn comes at its coordinator. */
  @Test
  void answerAndStartAtHome() throws Exception {
    bench.loseNotices.set(true);
    int ran = 0;
    for (int round = 0; round < ROUNDS; round++) {
      TiedRead read = bench.queuedAtHome(bench.nextTicket());
      bench.pass(2 * MILLI);
      Message<?> copy = bench.callbacks.sent.get(round);
      bench.serveAtPeer(copy);
      boolean[] runs = new boolean[1];
      both(() -> runs[0] = read.start(), () -> bench.answerOfPeer(copy.id()));
      ran += runs[0] ? 1 : 0;
    }
    assertThat(ran + bench.callbacks.answeredAtHome.get())
        .as("each read is answered once")
        .isEqualTo(ROUNDS);
    assertThat(bench.ties().slots().size()).isZero();
  }
}
