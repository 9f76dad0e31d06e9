/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.TestRead;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Cases of C3's rate control, computed by hand. */
class C3RateControlTest {
  private static final long MILLI = 1_000_000;
  private static final CubicRate.Law LAW = law(5, 50);
  private final FakeView view = new FakeView(3);
  private final AtomicLong now = new AtomicLong();

  @Test
  void theCurveAfterACut() {
    assertThat(CubicRate.curve(LAW, 100, 0)).isCloseTo(80, within(0.01));
    assertThat(CubicRate.curve(LAW, 100, 50)).isCloseTo(92.9, within(0.05));
    assertThat(CubicRate.curve(LAW, 100, 171)).isCloseTo(100, within(0.01));
    assertThat(CubicRate.curve(LAW, 100, 271)).isCloseTo(104, within(0.01));
    assertThat(CubicRate.curve(LAW, 10, 0)).isCloseTo(8, within(0.01));
  }

  @Test
  void aCutIsToAFifthAndGrowthIsByStepsOfTen() {
    CubicRate rate = new CubicRate(LAW, 0);
    rate.sendRate(100);
    rate.adapt(50, 40 * MILLI);
    assertThat(rate.sendRate()).as("within the hysteresis").isEqualTo(100);
    rate.adapt(50, 41 * MILLI);
    assertThat(rate.sendRate()).isCloseTo(20, within(1e-9));
    for (int expected = 30; expected <= 70; expected += 10) {
      rate.adapt(1_000, 41 * MILLI);
      assertThat(rate.sendRate()).isCloseTo(expected, within(1e-9));
    }
    rate.adapt(1_000, 41 * MILLI);
    rate.adapt(1_000, 41 * MILLI);
    assertThat(rate.sendRate()).as("no higher than the curve").isCloseTo(80, within(0.01));
  }

  @Test
  void anEmptyBucketWaitsForOneToken() {
    CubicRate rate = new CubicRate(law(5, 1), 0);
    assertThat(rate.opensAtNanos()).isZero();
    rate.sent(0);
    assertThat(rate.opensAtNanos()).isEqualTo(4 * MILLI);
    rate.sent(6 * MILLI);
    assertThat(rate.opensAtNanos()).as("one token at most").isEqualTo(10 * MILLI);
  }

  @Test
  void theRateNeverFallsBelowTheFloor() {
    CubicRate rate = new CubicRate(LAW, 0);
    for (int i = 1; i < 100; i++) {
      rate.adapt(0, i * 100 * MILLI);
    }
    assertThat(rate.sendRate()).isEqualTo(0.1);
  }

  @Test
  void readsGoToTheFirstOpenReplicaAndThenWait() {
    C3RateControlSelector selector = selector(1);
    Gate<TestRead> gate = selector.newGate();
    for (int i = 0; i < 5; i++) {
      gate.offer(new TestRead("r" + i, 0, 1, 2, 0, 1));
    }
    assertThat(released(gate)).containsExactly("r0 to 2", "r1 to 0", "r2 to 1");
    assertThat(gate.size()).isEqualTo(2);
    long next = gate.nextReleaseNanos(0);
    assertThat(next).isEqualTo(4 * MILLI);
    // Node 0 has answered, the others never: they are tried first.
    selector.answered(0, 1, 100, view);
    now.set(next);
    assertThat(released(gate)).containsExactly("r3 to 2", "r4 to 1");
    assertThat(gate.nextReleaseNanos(next)).isEqualTo(Long.MAX_VALUE);
  }

  /** On a host that fixes a read's node when it is ranked, this is the choice among replicas. */
  @Test
  void replicasWithATokenLeftRankBeforeTheOthers() {
    C3RateControlSelector selector = selector(2);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 3);
    selector.spend(0, 0);
    selector.spend(0, 0);
    for (int read = 0; read < 5; read++) {
      request.addRead(null, read, 1);
      for (int node = 0; node < 3; node++) {
        request.addReplica(node, 0);
      }
      selector.rank(
          request, read, request.replicaStart(read), request.replicaStart(read) + 3, view);
      request.assign(read);
    }
    assertThat(request.plannedReads(0)).as("the last one waits wherever it goes").isLessThan(2);
    assertThat(request.plannedReads(1)).isBetween(2, 3);
    assertThat(request.plannedReads(2)).isBetween(2, 3);
    assertThat(request.mended()).isZero();
  }

  @Test
  void answersThatArriveFasterThanReadsAreSentRaiseTheRate() {
    C3RateControlSelector selector = selector(1);
    Gate<TestRead> gate = selector.newGate();
    gate.offer(new TestRead("first", 0, 1, 0));
    assertThat(released(gate)).hasSize(1);
    for (int i = 0; i < 100; i++) {
      now.addAndGet(MILLI);
      selector.answered(0, 1, MILLI, view);
    }
    gate.offer(new TestRead("second", 0, 1, 0));
    assertThat(released(gate)).hasSize(1);
    long wait = gate.nextReleaseNanos(now.get());
    gate.offer(new TestRead("third", 0, 1, 0));
    wait = gate.nextReleaseNanos(now.get()) - now.get();
    assertThat(wait).as("a rate above the first one").isLessThan(4 * MILLI);
  }

  private List<String> released(Gate<TestRead> gate) {
    List<String> released = new ArrayList<>();
    TestRead read = gate.release(now.get(), view);
    while (read != null) {
      released.add(read.name + " to " + read.node);
      read = gate.release(now.get(), view);
    }
    return released;
  }

  private C3RateControlSelector selector(double burst) {
    return new C3RateControlSelector(new C3Selector(0.9, 1), law(5, burst), 64, now::get);
  }

  private static CubicRate.Law law(double firstRate, double burst) {
    return new CubicRate.Law(20 * MILLI, 0.2, 4e-6, 10, 2, firstRate, burst, 0.1);
  }
}
