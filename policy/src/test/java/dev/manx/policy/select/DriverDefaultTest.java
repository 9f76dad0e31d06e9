/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of {@code select.driver-default} computed by hand. */
@Timeout(30)
class DriverDefaultTest {
  private static final int TIMES = 30_000;
  private static final long MILLI = 1_000_000;

  private final FakeView view = new FakeView(16);
  private final SplittableRandom random = new SplittableRandom(7);
  private long now;
  private final DriverDefaultSelector driver = new DriverDefaultSelector(() -> now);

  private int[] ranking(int... replicas) {
    Request request = new Request();
    request.begin(now, random, 16);
    request.addRead(null, 1, 1);
    for (int node : replicas) {
      request.addReplica(node, 0);
    }
    driver.rank(request, 0, 0, replicas.length, view);
    return Requests.ranking(request, 0);
  }

  /** How often each of the nodes 0, 1 and 2 is at a position. */
  private double[] shares(int place, int... replicas) {
    double[] shares = new double[3];
    for (int i = 0; i < TIMES; i++) {
      shares[ranking(replicas)[place]] += 1.0 / TIMES;
    }
    return shares;
  }

  private void answers(int node, int times) {
    for (int i = 0; i < times; i++) {
      driver.answered(node, 1, MILLI, view);
    }
  }

  @Test
  void ofTwoRandomReplicasTheOneWithFewerReadsGoesFirst() {
    // The pairs 01, 02 and 12 are equally likely; 2 wins two of them, 1 wins one.
    view.reads[0] = 5;
    view.reads[1] = 3;
    view.reads[2] = 1;
    double[] first = shares(0, 0, 1, 2);
    assertThat(first[0]).isZero();
    assertThat(first[1]).isCloseTo(1 / 3.0, within(0.01));
    assertThat(first[2]).isCloseTo(2 / 3.0, within(0.01));
  }

  @Test
  void twoReplicasAreInRandomOrder() {
    view.reads[0] = 50;
    assertThat(shares(0, 0, 1)[0]).isCloseTo(0.5, within(0.01));
  }

  @Test
  void aBusyReplicaThatDoesNotAnswerGoesLastHoweverBusyTheOthersAre() {
    view.reads[0] = 10;
    view.reads[1] = 80;
    view.reads[2] = 90;
    answers(1, 2);
    answers(2, 2);
    answers(0, 2);
    assertThat(shares(2, 0, 1, 2)[0]).as("two answers").isCloseTo(1 / 3.0, within(0.01));
    now = 200 * MILLI + 1;
    answers(1, 2);
    answers(2, 2);
    answers(0, 1);
    assertThat(shares(2, 0, 1, 2)[0]).as("one answer").isEqualTo(1, within(1e-9));
    assertThat(shares(0, 0, 1, 2)[1]).as("80 against 90").isEqualTo(1, within(1e-9));
    view.reads[0] = 9;
    assertThat(shares(2, 0, 1, 2)[0]).as("it is not busy").isCloseTo(1 / 3.0, within(0.01));
  }

  /** In 4.19.3, hasSufficientResponses holds without a second answer. */
  @Test
  void aReplicaThatHasHardlyAnsweredYetSeemsWell() {
    view.reads[0] = 10;
    answers(1, 2);
    answers(2, 2);
    assertThat(shares(2, 0, 1, 2)[0]).as("no answer").isCloseTo(1 / 3.0, within(0.01));
    answers(0, 1);
    now = 1_000 * MILLI;
    assertThat(shares(2, 0, 1, 2)[0]).as("one, long ago").isCloseTo(1 / 3.0, within(0.01));
  }

  @Test
  void noReplicaGoesLastIfMostSeemStuck() {
    view.reads[0] = 10;
    view.reads[1] = 10;
    answers(0, 2);
    answers(1, 2);
    now = 200 * MILLI + 1;
    assertThat(shares(2, 0, 1, 2)[2]).isCloseTo(1 / 3.0, within(0.01));
  }

  @Test
  void readsOfTheSameRequestAreInFlight() {
    Request request = new Request();
    request.begin(0, random, 16);
    int[] sent = new int[3];
    for (int read = 0; read < 30; read++) {
      request.addRead(null, read, 1);
      for (int node = 0; node < 3; node++) {
        request.addReplica(node, 0);
      }
    }
    for (int read = 0; read < 30; read++) {
      driver.rank(request, read, 3 * read, 3 * read + 3, view);
      request.assign(read);
      sent[request.replica(read, 0)]++;
    }
    assertThat(sent).containsOnly(9, 10, 11).satisfies(s -> assertThat(s).hasSize(3));
  }
}
