/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of threads that loaders occupy, and the handling of hanging ones. */
@Timeout(60)
class LoadLaneTest extends LoadLanes {
  @Test
  void workWaitsForAPlaceAndBeginsWhenOneIsStuck() throws Exception {
    begin(lane, LoadLane.AT_ONCE);
    load(lane, "next");
    assertThat(begun).isEmpty();
    assertThat(lane.stuck()).isZero();
    guard.passes();
    assertThat(next(begun)).isEqualTo("next");
    assertThat(lane.stuck()).isEqualTo(LoadLane.AT_ONCE);
  }

  @Test
  void workThatFindsNoPlaceIsGivenUpAndNeverRuns() throws Exception {
    begin(lane, LoadLane.AT_ONCE);
    load(lane, "waits");
    timer.passes();
    assertThat(givenUp).containsExactly("waits");
    assertThat(lane.givenUp()).isEqualTo(1);
    release.countDown();
    load(lane, "later");
    assertThat(next(begun)).isEqualTo("later");
    assertThat(begun).isEmpty();
  }

  @Test
  void atTheCeilingNothingBeginsUntilACallReturns() throws Exception {
    hangAll(lane);
    guard.passes();
    load(lane, "waits");
    assertThat(begun).isEmpty();
    assertThat(threads.count()).isEqualTo(LoadLane.MOST_STUCK + LoadLane.AT_ONCE);
    assertThat(lane.stuck()).isEqualTo(LoadLane.MOST_STUCK + LoadLane.AT_ONCE);
    release.countDown();
    assertThat(next(begun)).isEqualTo("waits");
    begin(lane, 1);
    assertThat(lane.givenUp()).isZero();
  }

  @Test
  void callsThatHangInOneLaneTakeNoThreadFromOthers() throws Exception {
    List<LoadLane> lanes = new ArrayList<>();
    for (int i = 0; i < LoadThreads.AT_ONCE / LoadLane.AT_ONCE; i++) {
      LoadLane other = threads.lane(TIME_OUT, timer, guard);
      begin(other, LoadLane.AT_ONCE);
      lanes.add(other);
    }
    load(lane, "mine");
    assertThat(begun).isEmpty();
    guard.passes();
    assertThat(next(begun)).isEqualTo("mine");
    assertThat(lanes).allMatch(other -> other.stuck() == LoadLane.AT_ONCE);
  }

  @Test
  void allLanesTogetherStayBelowTheCeilingOfThreads() throws Exception {
    int each = LoadLane.MOST_STUCK + LoadLane.AT_ONCE;
    int held = 0;
    for (; held + each <= LoadThreads.MOST - LoadThreads.AT_ONCE; held += each) {
      hangAll(threads.lane(TIME_OUT, timer, guard));
      guard.passes();
    }
    for (; held < LoadThreads.MOST; held++) {
      begin(threads.lane(TIME_OUT, timer, guard), 1);
      guard.passes();
    }
    assertThat(threads.count()).isEqualTo(LoadThreads.MOST);
    load(threads.lane(TIME_OUT, timer, guard), "more");
    guard.passes();
    assertThat(begun).isEmpty();
    assertThat(threads.count()).isEqualTo(LoadThreads.MOST);
    timer.passes();
    assertThat(givenUp).containsExactly("more");
    assertThat(next(interrupted)).isNotNull();
    release.countDown();
    load(lane, "last");
    String name = next(begun);
    while (!"last".equals(name)) {
      assertThat(name).isNotNull();
      name = next(begun);
    }
    assertThat(threads.count()).isLessThanOrEqualTo(LoadThreads.MOST);
  }

  @Test
  void afterTheEndWorkIsGivenUpAtOnce() {
    timer.closed = true;
    load(lane, "late");
    assertThat(givenUp).containsExactly("late");
    timer.closed = false;
    threads.close();
    load(lane, "later");
    assertThat(givenUp).containsExactly("late", "later");
    assertThat(lane.givenUp()).isEqualTo(1);
  }

  @Test
  void anErrorGivesThePlaceBack() throws Exception {
    for (int i = 0; i < 2 * LoadLane.AT_ONCE; i++) {
      lane.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
            throw new AssertionError("of a key");
          });
    }
    begin(lane, LoadLane.AT_ONCE);
  }
}
