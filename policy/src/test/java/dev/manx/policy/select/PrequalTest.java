/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.facts.FactColumn;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PrequalTest {
  private static final long MILLI = 1_000_000;
  private final AtomicLong clock = new AtomicLong();

  @Test
  void coldOnesGoByLatencyAndHotOnesByReadsInFlight() {
    // (reads in flight, latency) with the limit at 5: c is cold and faster than b; a is hot.
    long a = PrequalSelector.score(10, 1, 5);
    long b = PrequalSelector.score(2, 50, 5);
    long c = PrequalSelector.score(3, 20, 5);
    assertThat(c).isLessThan(b);
    assertThat(b).isLessThan(a);
    assertThat(PrequalSelector.score(8, 90, 5)).as("all hot").isLessThan(a);
    assertThat(PrequalSelector.score(2, 20, 5)).as("ties by reads in flight").isLessThan(c);
  }

  @Test
  void aNodeThatFailsFastGetsOnlyProbes() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.84, 1_000 * MILLI, 50 * MILLI, clock::get);
    for (int node = 0; node < 2; node++) {
      view.set(FactColumn.PENDING_READS, node, 1);
      prequal.answered(node, 1, (2 - node) * MILLI, view);
    }
    assertThat(first(prequal, view, 0)).as("the faster one").isEqualTo(1);
    prequal.failed(1, 1);
    assertThat(first(prequal, view, MILLI)).as("a probe").isEqualTo(1);
    assertThat(first(prequal, view, 2 * MILLI)).isZero();
    assertThat(first(prequal, view, 50 * MILLI)).isZero();
    assertThat(first(prequal, view, 51 * MILLI)).as("the next probe").isEqualTo(1);
    prequal.answered(1, 1, MILLI, view);
    assertThat(first(prequal, view, 52 * MILLI)).isEqualTo(1);
    assertThat(first(prequal, view, 53 * MILLI)).isEqualTo(1);
  }

  @Test
  void aReplicaThatNeverAnswersKeepsNoProbeFromAnother() {
    FakeView view = new FakeView(16);
    for (int seed = 0; seed < 100; seed++) {
      PrequalSelector prequal = new PrequalSelector(0.84, 1_000 * MILLI, 50 * MILLI, clock::get);
      for (int node = 0; node < 3; node++) {
        view.set(FactColumn.PENDING_READS, node, 1);
        prequal.answered(node, 1, MILLI, view);
      }
      prequal.failed(0, 1);
      prequal.failed(1, 1);
      int probes = 0;
      for (long now = 0; first(prequal, view, now, seed, 3) == 0; now += 50 * MILLI) {
        // Node 0 does not answer.
        assertThat(first(prequal, view, now + MILLI, seed, 3)).as("one probe").isEqualTo(2);
        assertThat(++probes).isLessThan(20);
      }
    }
  }

  @Test
  void readsSentSinceTheReportAreInFlight() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.5, 1_000 * MILLI, 50 * MILLI, clock::get);
    for (int node = 0; node < 2; node++) {
      view.set(FactColumn.PENDING_READS, node, 4);
      prequal.answered(node, 1, (1 + node) * MILLI, view);
    }
    assertThat(first(prequal, view, 0)).isZero();
    prequal.sent(0, 1);
    assertThat(first(prequal, view, 0)).as("node 0 is above the limit of 4").isEqualTo(1);
  }

  /** A node reports every 2 ms while reads wait, and every 100 ms otherwise. */
  @Test
  void readsSentSinceTheReportAreInFlightUntilTheNextReport() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.5, 1_000 * MILLI, 50 * MILLI, clock::get);
    for (int node = 0; node < 2; node++) {
      view.set(FactColumn.PENDING_READS, node, 4);
      prequal.answered(node, 1, (1 + node) * MILLI, view);
    }
    prequal.sent(0, 1);
    prequal.sent(0, 1);
    clock.set(MILLI);
    view.agesNanos[0] = MILLI;
    prequal.answered(0, 1, MILLI, view);
    assertThat(first(prequal, view, MILLI)).as("5 of which it reported 4").isEqualTo(1);
    prequal.sent(0, 1);
    view.agesNanos[0] = 0;
    prequal.answered(0, 1, MILLI, view);
    assertThat(first(prequal, view, MILLI)).as("it reported 4 anew").isZero();
  }

  /** Otherwise the node that answers most would set the limit for all. */
  @Test
  void aReportCountsOnceHoweverManyAnswersComeUnderIt() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.5, 1_000 * MILLI, 50 * MILLI, clock::get);
    int[] waiting = {4, 8, 4};
    for (int node = 0; node < 3; node++) {
      view.set(FactColumn.PENDING_READS, node, waiting[node]);
      prequal.answered(node, 1, (3 - node) * MILLI, view);
    }
    for (int read = 0; read < 100; read++) {
      prequal.sent(1, 1);
      prequal.answered(1, 1, MILLI, view);
    }
    // The median of 4, 8 and 4 is 4, so the faster node is hot.
    assertThat(first(prequal, view, 0)).isZero();
  }

  @Test
  void readsThatEndWithoutAnAnswerAreNotInFlight() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.5, 1_000 * MILLI, 50 * MILLI, clock::get);
    for (int node = 0; node < 2; node++) {
      view.set(FactColumn.PENDING_READS, node, 4);
      prequal.answered(node, 1, (1 + node) * MILLI, view);
    }
    prequal.sent(0, 1);
    prequal.timedOut(0, 1);
    assertThat(first(prequal, view, 0)).as("timed out").isZero();
    prequal.sent(0, 1);
    assertThat(first(prequal, view, 0)).isEqualTo(1);
    prequal.cancelled(0, 1);
    assertThat(first(prequal, view, 0)).as("cancelled").isZero();
  }

  /** Otherwise a node would attract reads just because it has never had so many. */
  @Test
  void aLoadThatWasNeverMeasuredHasTheLatencyOfTheNearestOne() {
    FakeView view = new FakeView(16);
    PrequalSelector prequal = new PrequalSelector(0.99, 1_000 * MILLI, 50 * MILLI, clock::get);
    for (int node = 0; node < 3; node++) {
      view.set(FactColumn.PENDING_READS, node, node == 2 ? 40 : 1);
      prequal.answered(node, 1, (node == 0 ? 9 : 3) * MILLI, view);
    }
    view.set(FactColumn.PENDING_READS, 0, 4);
    assertThat(first(prequal, view, 0)).as("9 ms against 3").isEqualTo(1);
    view.set(FactColumn.PENDING_READS, 1, 4);
    view.set(FactColumn.PENDING_READS, 0, 0);
    assertThat(first(prequal, view, 0)).as("a lighter load was not measured, either").isEqualTo(1);
    prequal.answered(0, 1, MILLI, view);
    assertThat(first(prequal, view, 0)).isZero();
  }

  private static int first(PrequalSelector prequal, FakeView view, long nowNanos) {
    return first(prequal, view, nowNanos, 1, 2);
  }

  private static int first(
      PrequalSelector prequal, FakeView view, long nowNanos, long seed, int replicas) {
    Request request = new Request();
    request.begin(nowNanos, new SplittableRandom(seed + nowNanos), 16);
    request.addRead(null, 1, 1);
    for (int node = 0; node < replicas; node++) {
      request.addReplica(node, 0);
    }
    prequal.rank(request, 0, 0, replicas, view);
    return Requests.ranking(request, 0)[0];
  }
}
