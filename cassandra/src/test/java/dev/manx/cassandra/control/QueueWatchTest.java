/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueWatchTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  /** A tick of a node without reads. */
  private static void quiet(QueueWatch watch, long now) {
    watch.tick(0, 0, false, 2, now);
  }

  /** Creates a watch that is calm at two seconds, with reads of the given service time. */
  private static QueueWatch calm(long serviceNanos) {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(0, serviceNanos, false, 2, 2 * SECOND);
    assertThat(watch.isCalm()).isTrue();
    return watch;
  }

  @Test
  void isCalmOnlyAfterTheTimeWithoutAQueue() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    quiet(watch, SECOND);
    assertThat(watch.isCalm()).as("just that time").isFalse();
    quiet(watch, SECOND + 1);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void beginsCalmUnlessReadsWait() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.begin(false, 1);
    assertThat(watch.isCalm()).as("at once").isTrue();
    quiet(watch, 1);
    assertThat(watch.isCalm()).isTrue();
    watch.begin(true, 2);
    assertThat(watch.isCalm()).isFalse();
    quiet(watch, SECOND + 2);
    assertThat(watch.isCalm()).as("as after any queue").isFalse();
    quiet(watch, SECOND + 3);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void beginsCalmAlthoughATickIsUnderWay() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.begin(false, 1_000);
    quiet(watch, 10);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void aNodeThatIsNeverCalmDoesNotBeginCalm() {
    QueueWatch planning = new QueueWatch(0, 0);
    planning.begin(false, 1);
    assertThat(planning.isCalm()).isFalse();
    QueueWatch blind = new QueueWatch(SECOND, 0);
    blind.watching(false);
    blind.begin(false, 1);
    assertThat(blind.isCalm()).isFalse();
  }

  @Test
  void aQueueEndsTheCalmAtOnceWithoutATick() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    quiet(watch, 2 * SECOND);
    watch.seen(2 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
    assertThat(watch.sinceNanos(2 * SECOND + 6)).isEqualTo(5);
    quiet(watch, 3 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
    quiet(watch, 3 * SECOND + 2);
    assertThat(watch.isCalm()).isTrue();
  }

  /** Ten reads of 2 ms take 1 ms off the waits. Those just arriving count as ended at first. */
  @Test
  void aCountThatFallsForAMomentCountsNoReadTwice() {
    QueueWatch watch = calm(2 * MILLI);
    watch.tick(100, 2 * MILLI, false, 2, 2 * SECOND);
    for (int i = 0; i < 14; i++) {
      watch.waited(9 * MILLI, 0, 2 * SECOND);
    }
    for (long completed : new long[] {105, 100, 110}) {
      watch.tick(completed, 2 * MILLI, false, 2, 2 * SECOND);
    }
    watch.waited(3 * MILLI, 0, 2 * SECOND);
    assertThat(watch.sinceNanos(2 * SECOND)).as("126 - 1 + 3 ms are a queue").isZero();
    assertThat(watch.isCalm()).isFalse();
  }

  /** Reads of 2 ms: 64 of their service times are 128 ms. */
  @Test
  void waitsEndTheCalmOnceTheyAddUp() {
    QueueWatch watch = calm(2 * MILLI);
    for (int i = 0; i < 12; i++) {
      watch.waited(10 * MILLI, 0, 2 * SECOND + i);
      assertThat(watch.isCalm()).as("%d waits of 10 ms", i + 1).isTrue();
    }
    watch.waited(10 * MILLI, 0, 2 * SECOND + 12);
    assertThat(watch.isCalm()).isFalse();
    assertThat(watch.sinceNanos(2 * SECOND + 12)).isZero();
  }

  @Test
  void waitsTooShortToMatterNeverAddUp() {
    QueueWatch watch = calm(2 * MILLI);
    for (int i = 0; i < 10_000; i++) {
      watch.waited(250_000, 0, 2 * SECOND + i);
    }
    assertThat(watch.isCalm()).isTrue();
  }

  /** 1,000 reads of 2 ms in a tick take 2 s, a twentieth of which is 100 ms. */
  @Test
  void waitsWithinAShareOfTheServiceTimesEndNoCalm() {
    QueueWatch watch = calm(2 * MILLI);
    long completed = 0;
    for (int tick = 0; tick < 100; tick++) {
      long now = 2 * SECOND + tick * SECOND / 10;
      for (int i = 0; i < 20; i++) {
        watch.waited(5 * MILLI, 0, now);
      }
      completed += 1_000;
      watch.tick(completed, 2 * MILLI, true, 2, now);
      assertThat(watch.isCalm()).as("tick %d", tick).isTrue();
    }
    for (int tick = 100; tick < 104; tick++) {
      for (int i = 0; i < 40; i++) {
        watch.waited(5 * MILLI, 0, 2 * SECOND + tick * SECOND / 10);
      }
      completed += 1_000;
      watch.tick(completed, 2 * MILLI, true, 2, 2 * SECOND + tick * SECOND / 10);
    }
    assertThat(watch.isCalm()).as("twice as many waits").isFalse();
  }

  /**
   * Two threads: ten reads ahead are five service times. The times do not matter: a thread that
   * waits for a core has hardly begun its read.
   */
  @Test
  void onSaturatedCoresReadsAheadCountInPlaceOfTimes() {
    QueueWatch watch = calm(2 * MILLI);
    watch.cores(0.9);
    long completed = 100;
    for (int tick = 0; tick < 100; tick++) {
      watch.tick(completed, tick % 2 == 0 ? 0 : 20 * MILLI, true, 2, 2 * SECOND + tick * 1_000);
      for (int i = 0; i < 100; i++) {
        watch.waited(SECOND, 10, 2 * SECOND + tick * 1_000);
      }
      completed += 100;
      assertThat(watch.isCalm()).as("tick %d, ten reads ahead", tick).isTrue();
    }
    for (int tick = 100; tick < 105; tick++) {
      watch.tick(completed, 2 * MILLI, true, 2, 2 * SECOND + tick * 1_000);
      for (int i = 0; i < 100; i++) {
        watch.waited(10 * MILLI, 40, 2 * SECOND + tick * 1_000);
      }
      completed += 100;
    }
    assertThat(watch.isCalm()).as("15 service times too many, of each of 500 reads").isFalse();
  }

  /** 6,400 service times at once. */
  @Test
  void saturatedCoresRequireLongerQueues() {
    QueueWatch watch = calm(2 * MILLI);
    watch.cores(0.9);
    watch.tick(0, 2 * MILLI, false, 2, 2 * SECOND);
    for (int i = 0; i < 639; i++) {
      watch.waited(10 * MILLI, 20, 2 * SECOND + i);
    }
    assertThat(watch.isCalm()).isTrue();
    watch.waited(10 * MILLI, 20, 2 * SECOND + 639);
    assertThat(watch.isCalm()).isFalse();
    watch.cores(0.89);
    watch.tick(0, 2 * MILLI, false, 2, 4 * SECOND);
    assertThat(watch.isCalm()).as("parts of service times are not times").isTrue();
    watch.waited(200 * MILLI, 0, 4 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
  }

  /**
   * 100 reads with 50 ahead of each are 2,500 service times of two threads: a queue, but no burst.
   */
  @Test
  void coresThatBecomeSaturatedRequireLongerQueuesAtOnce() {
    QueueWatch watch = calm(2 * MILLI);
    watch.cores(1);
    for (int i = 0; i < 100; i++) {
      watch.waited(10 * MILLI, 50, 2 * SECOND + i);
    }
    assertThat(watch.isCalm()).as("before the next tick").isTrue();
  }

  /** Busy cores of this node are irrelevant to another node's disks. */
  @Test
  void anotherNodesQueueEndsTheCalmHoweverBusyTheCoresAreHere() {
    for (int threads : new int[] {2, 32}) {
      QueueWatch watch = calm(2 * MILLI);
      watch.cores(1);
      watch.tick(0, 2 * MILLI, false, threads, 2 * SECOND);
      long limit = 2 * MILLI * (threads == 2 ? 4 : 16);
      watch.reported(limit, 2 * MILLI, 2 * SECOND + 1);
      assertThat(watch.isCalm()).isTrue();
      watch.reported(limit + 1, 2 * MILLI, 2 * SECOND + 1);
      assertThat(watch.isCalm()).as("%d threads", threads).isFalse();
    }
  }

  @Test
  void aNodeWithSaturatedCoresReportsThatItsReadsWaitForThemUnlessTheyWaitFarLonger() {
    QueueWatch watch = calm(2 * MILLI);
    assertThat(watch.waitsForCores(2 * SECOND)).as("idle cores").isFalse();
    watch.cores(1);
    watch.tick(0, 2 * MILLI, false, 2, 2 * SECOND);
    assertThat(watch.waitsForCores(2 * SECOND)).isTrue();
    watch.seen(2 * SECOND);
    assertThat(watch.waitsForCores(2 * SECOND)).as("another node's queue").isTrue();
    for (int i = 0; i < 640; i++) {
      watch.waited(10 * MILLI, 20, 2 * SECOND);
    }
    assertThat(watch.waitsForCores(3 * SECOND)).as("6,400 service times of own waits").isFalse();
    assertThat(watch.waitsForCores(3 * SECOND + 1)).as("a second later").isTrue();
    watch.watching(false);
    assertThat(watch.waitsForCores(4 * SECOND)).as("own waits unknown").isFalse();
  }

  /** The excess never counts for more than two bursts. */
  @Test
  void aStallIsForgotten() {
    QueueWatch watch = calm(2 * MILLI);
    for (int i = 0; i < 1_000; i++) {
      watch.waited(SECOND, 0, 2 * SECOND);
    }
    assertThat(watch.isCalm()).isFalse();
    watch.tick(2_560, 2 * MILLI, false, 2, 3 * SECOND + 1);
    assertThat(watch.isCalm()).isTrue();
    watch.waited(5 * MILLI, 0, 3 * SECOND + 2);
    assertThat(watch.isCalm()).as("256 ms are forgotten").isTrue();
  }

  @Test
  void aNodeWhoseReadsWaitWhileNoneEndsIsNotCalm() {
    QueueWatch watch = calm(2 * MILLI);
    watch.tick(0, 2 * MILLI, true, 2, 2 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void anotherNodesQueueEndsTheCalmIfItIsLongerThanAFewReads() {
    QueueWatch watch = calm(2 * MILLI);
    watch.reported(8 * MILLI, 2 * MILLI, 2 * SECOND + 1);
    watch.reported(400_000, 0, 2 * SECOND + 1);
    assertThat(watch.isCalm()).isTrue();
    watch.reported(8 * MILLI + 1, 2 * MILLI, 2 * SECOND + 2);
    assertThat(watch.isCalm()).isFalse();
    watch.tick(0, 2 * MILLI, false, 32, 4 * SECOND);
    watch.reported(32 * MILLI, 2 * MILLI, 4 * SECOND + 1);
    assertThat(watch.isCalm()).as("32 threads need a millisecond").isTrue();
    watch.reported(32 * MILLI + 1, 2 * MILLI, 4 * SECOND + 2);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void zeroIsNever() {
    QueueWatch watch = new QueueWatch(0, 0);
    quiet(watch, Long.MAX_VALUE);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void zeroEndsACalmThatHasBegun() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    quiet(watch, 2 * SECOND);
    watch.calmAfter(0, 2 * SECOND);
    quiet(watch, 9 * SECOND);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void aNodeThatDoesNotSeeItsOwnQueueIsNeverCalm() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    quiet(watch, 2 * SECOND);
    watch.watching(false);
    assertThat(watch.isCalm()).isFalse();
    quiet(watch, 4 * SECOND);
    assertThat(watch.isCalm()).isFalse();
    watch.watching(true);
    quiet(watch, 6 * SECOND);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void worksWhereTheClockOverflows() {
    QueueWatch watch = new QueueWatch(SECOND, Long.MAX_VALUE - 10);
    quiet(watch, Long.MIN_VALUE + 10);
    assertThat(watch.isCalm()).as("twenty nanoseconds later").isFalse();
    quiet(watch, Long.MIN_VALUE + 2 * SECOND);
    assertThat(watch.isCalm()).isTrue();
  }
}
