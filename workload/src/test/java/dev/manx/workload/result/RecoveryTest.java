/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request every millisecond from time 0, the fault from 1 to 2 seconds. */
@Timeout(60)
class RecoveryTest {
  private static final long MILLI = 1_000_000;

  /** Latencies of ten milliseconds until a given time, then one; ends arrive in pairs, reversed. */
  private static Recovery played(int badUntil, int requests) {
    Recovery recovery = new Recovery(1_000 * MILLI, 2_000 * MILLI);
    for (int pair = 0; pair < requests; pair += 2) {
      for (int i = pair + 1; i >= pair; i--) {
        long latency = i >= 1_000 && i < badUntil ? 10 * MILLI : MILLI;
        recovery.ended(i, i * MILLI, latency, true, true);
      }
    }
    return recovery;
  }

  @Test
  void timeIsThatOfTheFirstOfThreeGoodGroups() {
    // Groups of 200 from 2,000 on: the third has a hundred slow requests, the fourth none.
    Recovery.Found found = played(2_500, 5_000).found();
    assertThat(found.recovered()).isTrue();
    assertThat(found.nanos()).isEqualTo(600 * MILLI);
  }

  @Test
  void nothingToRecoverFromTakesNoTime() {
    assertThat(played(2_000, 4_000).found()).isEqualTo(new Recovery.Found(0, true));
  }

  /** A wide system has many requests under way, and a fault may catch all of them. */
  @Test
  void requestsThatTheFaultCaughtAreNotOfTheTimeBeforeIt() {
    Recovery recovery = new Recovery(1_000 * MILLI, 2_000 * MILLI);
    for (int i = 0; i < 6_000; i++) {
      boolean caught = i >= 900 && i < 1_000;
      boolean slow = i >= 1_000 && i < 4_000;
      recovery.ended(i, i * MILLI, caught ? 1_100 * MILLI : slow ? 10 * MILLI : MILLI, true, true);
    }
    assertThat(recovery.found()).isEqualTo(new Recovery.Found(2_000 * MILLI, true));
  }

  /** A dead coordinator refuses its requests within microseconds. */
  @Test
  void aRequestThatFailedQuicklyIsNotAQuickOne() {
    Recovery recovery = new Recovery(1_000 * MILLI, 2_000 * MILLI);
    for (int i = 0; i < 6_000; i++) {
      boolean refused = i >= 1_000 && i < 4_000 && i % 3 == 0;
      recovery.ended(i, i * MILLI, refused ? 1_000 : MILLI, true, !refused);
    }
    assertThat(recovery.found()).isEqualTo(new Recovery.Found(2_000 * MILLI, true));
  }

  @Test
  void failuresAsOftenAsBeforeTheFaultAreNoEffectOfIt() {
    Recovery recovery = new Recovery(1_000 * MILLI, 2_000 * MILLI);
    for (int i = 0; i < 4_000; i++) {
      boolean refused = i % 10 == 0;
      recovery.ended(i, i * MILLI, refused ? 1_000 : MILLI, true, !refused);
    }
    assertThat(recovery.found()).isEqualTo(new Recovery.Found(0, true));
  }

  @Test
  void runThatEndsTooEarlyIsNoRecovery() {
    Recovery.Found found = played(4_000, 4_000).found();
    assertThat(found.recovered()).isFalse();
    assertThat(found.nanos()).as("at least").isEqualTo(1_999 * MILLI);
  }

  /** Every request after the fault was kept: 16 bytes for each of a window of hours. */
  @Test
  void aLongWindowTakesBoundedMemory() {
    int requests = 12 * Recovery.MOST_KEPT;
    Recovery late = played(10 * Recovery.MOST_KEPT, requests);
    assertThat(late.kept()).isEqualTo(Recovery.MOST_KEPT);
    Recovery.Found found = late.found();
    assertThat(found).isEqualTo(late.found());
    assertThat(found.recovered()).isTrue();
    // From 2,000 on in groups of 200, the first without slow requests.
    long good = 2_000 + (10L * Recovery.MOST_KEPT - 2_000 + 199) / 200 * 200;
    assertThat(found.nanos()).isEqualTo((good - 2_000) * MILLI);
    assertThat(played(requests, requests).found())
        .isEqualTo(new Recovery.Found((requests - 1 - 2_000) * MILLI, false));
  }

  /** One that is under way for so long is slow, whenever it ends. */
  @Test
  void requestsThatNeverEndAreSlow() {
    Recovery recovery = new Recovery(1_000 * MILLI, 2_000 * MILLI);
    int hung = Recovery.MOST_KEPT;
    for (int i = 0; i < 4 * Recovery.MOST_KEPT; i++) {
      if (i < 2_001 || i >= 2_001 + hung || i % 10 != 0) {
        recovery.ended(i, i * MILLI, MILLI, true, true);
      }
    }
    long from = (2_001 + hung) / 200 * 200;
    assertThat(recovery.found().recovered()).isTrue();
    assertThat(recovery.found().nanos()).isBetween((from - 2_400) * MILLI, (from - 1_800) * MILLI);
  }

  @Test
  void nothingIsSaidOfARunThatEndsWithinTheFault() {
    assertThat(played(2_000, 1_500).found()).isNull();
  }

  /** Fewer requests cannot show a recovery, however quick they are. */
  @Test
  void nothingIsSaidOfLessThanThreeGroupsAfterTheFault() {
    assertThat(played(2_000, 2_002).found()).isNull();
    assertThat(played(2_000, 2_200).found()).isNull();
    assertThat(played(2_000, 2_598).found()).isNull();
    assertThat(played(2_000, 2_600).found()).isEqualTo(new Recovery.Found(0, true));
  }
}
