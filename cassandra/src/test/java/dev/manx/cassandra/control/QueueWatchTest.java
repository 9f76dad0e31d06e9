/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueWatchTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void isCalmOnlyAfterTheTimeWithoutAQueue() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(SECOND);
    assertThat(watch.isCalm()).as("just that time").isFalse();
    watch.tick(SECOND + 1);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void aQueueEndsTheCalmAtOnceWithoutATick() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(2 * SECOND);
    watch.seen(2 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
    assertThat(watch.sinceNanos(2 * SECOND + 6)).isEqualTo(5);
    watch.tick(3 * SECOND + 1);
    assertThat(watch.isCalm()).isFalse();
    watch.tick(3 * SECOND + 2);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void aWaitTooShortToMatterEndsNoCalm() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(2 * SECOND);
    watch.waited(250_000, 2 * SECOND + 1);
    assertThat(watch.isCalm()).isTrue();
    watch.waited(250_001, 2 * SECOND + 2);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void zeroIsNever() {
    QueueWatch watch = new QueueWatch(0, 0);
    watch.tick(Long.MAX_VALUE);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void zeroEndsACalmThatHasBegun() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(2 * SECOND);
    watch.calmAfter(0, 2 * SECOND);
    watch.tick(9 * SECOND);
    assertThat(watch.isCalm()).isFalse();
  }

  @Test
  void aNodeThatDoesNotSeeItsOwnQueueIsNeverCalm() {
    QueueWatch watch = new QueueWatch(SECOND, 0);
    watch.tick(2 * SECOND);
    watch.watching(false);
    assertThat(watch.isCalm()).isFalse();
    watch.tick(4 * SECOND);
    assertThat(watch.isCalm()).isFalse();
    watch.watching(true);
    watch.tick(6 * SECOND);
    assertThat(watch.isCalm()).isTrue();
  }

  @Test
  void worksWhereTheClockOverflows() {
    QueueWatch watch = new QueueWatch(SECOND, Long.MAX_VALUE - 10);
    watch.tick(Long.MIN_VALUE + 10);
    assertThat(watch.isCalm()).as("twenty nanoseconds later").isFalse();
    watch.tick(Long.MIN_VALUE + 2 * SECOND);
    assertThat(watch.isCalm()).isTrue();
  }
}
