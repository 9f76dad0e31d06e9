/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadTimesTest {
  private final TimedReads timed = new TimedReads(12);
  private final ReadTimes times = timed.begin(2);

  @Test
  void aReadEndsWithTheLastAnswerThatItsConsistencyLevelRequires() {
    times.sent(0, 2, 10, 1_000);
    times.sent(0, 2, 11, 1_050);
    timed.answered(11, 1_300);
    timed.answered(10, 1_900);
    assertThat(times.next()).isEqualTo(900);
  }

  @Test
  void replicasThatShareAMessageAreWaitedForAlike() {
    times.sent(0, 3, 10, 1_000);
    times.sent(0, 3, 11, 1_010);
    times.sent(0, 3, 11, 1_020);
    timed.answered(11, 1_300);
    timed.answered(10, 1_400);
    timed.answered(11, 1_900);
    assertThat(times.next()).isEqualTo(900);
  }

  @Test
  void aSecondTryCountsFromTheFirst() {
    times.sent(0, 1, 10, 1_000);
    times.sent(0, 1, 11, 5_000);
    timed.answered(11, 5_200);
    timed.answered(10, 9_000);
    assertThat(times.next()).isEqualTo(4_200);
  }

  @Test
  void aReadWithoutAnEndIsUnknown() {
    times.sent(0, 2, 10, 1_000);
    timed.answered(10, 1_300);
    assertThat(times.next()).isEqualTo(ReadTimes.NONE);
    assertThat(times.next()).as("never sent").isEqualTo(ReadTimes.NONE);
    assertThat(times.next()).as("more than there are").isEqualTo(ReadTimes.NONE);
  }

  @Test
  void noMoreAnswersAreAwaitedThanTheBound() {
    ReadTimes wide = timed.begin(12);
    assertThat(wide.isKnown()).isTrue();
    for (int message = 0; message < 20; message++) {
      wide.sent(message % 12, 2, message, 1_000);
    }
    assertThat(timed.size()).isEqualTo(timed.most());
    assertThat(timed.begin(1).isKnown()).isFalse();
    wide.close();
    assertThat(timed.size()).isZero();
    assertThat(timed.begin(1).isKnown()).isTrue();
    assertThat(timed.begin(13).isKnown()).isFalse();
  }

  @Test
  void nothingIsKeptOfARequestThatEnded() {
    for (int message = 0; message < 9; message++) {
      times.sent(message % 2, 3, message, 1_000);
    }
    times.sent(2, 1, 99, 1_000);
    assertThat(timed.size()).isEqualTo(9);
    times.close();
    assertThat(timed.size()).isZero();
    timed.answered(3, 2_000);
    assertThat(times.next()).isEqualTo(ReadTimes.NONE);
  }
}
