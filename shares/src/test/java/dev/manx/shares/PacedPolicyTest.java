/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.blocking;
import static dev.manx.shares.CacheFixtures.names;
import static dev.manx.shares.CacheFixtures.sum;
import static dev.manx.shares.CacheFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Examples of {@link PacedPolicy} and of its slowdowns, computed by hand. */
class PacedPolicyTest {
  private static final double M = MB;
  private static final long SECOND = 1_000 * MS;

  private static ShareView at(long nowNanos, WindowStatistics statistics) {
    ShareView view = view(statistics, 100 * M, 100 * M);
    return new ShareView(
        nowNanos, statistics, view.allocated(), view.used(), view.floors(), view.curves());
  }

  private static PacedPolicy paced(double slowest, double power, double haste) {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 1, 3_600 * SECOND);
    return new PacedPolicy(slowest, power, 0.01, 0.05, 1, haste, slowdowns);
  }

  /** Two block alike, but the first now takes twice as long as usual: 2 squared is 4 against 1. */
  @Test
  void pacedFavoursWhoSlowsDown() {
    PacedPolicy policy = paced(1, 0, 2);
    policy.targets(at(0, slow(10, 10)));
    double[] targets = policy.targets(at(1_000 * SECOND, slow(20, 10)));
    // By then the usual latency has risen by 10 (1 - exp(-1000/1200)) = 5.65 ms; 20/15.65 = 1.278.
    double first = 1.278 * 1.278;
    double pool = 2 * M;
    assertThat(targets[0]).isEqualTo(99 * M + pool * first / (first + 1), within(0.01 * M));
    assertThat(sum(targets)).isEqualTo(200 * M, within(1.0));
  }

  /**
   * With a coarse clock the misses of the first take no time; it blocks no requests and only pays.
   */
  @Test
  void missesThatTakeNoTimeAreNoSlowdown() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.miss(0, 0);
    recorder.miss(1, 10 * MS);
    recorder.request(100 * MS, 1);
    double[] targets = paced(1, 0, 2).targets(at(0, recorder.cut()));
    assertThat(targets).containsExactly(new double[] {99 * M, 101 * M}, within(1.0));
  }

  /** Each backend blocks a request and misses once, with the given latencies in milliseconds. */
  private static WindowStatistics slow(int... millis) {
    WindowRecorder recorder = new WindowRecorder(names(millis.length));
    for (int b = 0; b < millis.length; b++) {
      recorder.request(100 * MS, b);
      recorder.miss(b, millis[b] * MS);
    }
    return recorder.cut();
  }

  /** The slowest half counts: 3 of 100 ms against 1 of 300 ms weigh alike by latency. */
  @Test
  void pacedWeighsBlockedRequestsByTheirLatency() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    for (int i = 0; i < 4; i++) {
      recorder.request(MS, 2);
      recorder.request(i < 3 ? 100 * MS : 300 * MS, i < 3 ? 0 : 1);
    }
    WindowStatistics window = recorder.cut();
    double[] targets = paced(0.5, 1, 0).targets(view(window, 100 * M, 100 * M, 100 * M));
    assertThat(targets)
        .containsExactly(new double[] {100.5 * M, 100.5 * M, 99 * M}, within(0.06 * M));
    double[] byCount = paced(0.5, 0, 0).targets(view(window, 100 * M, 100 * M, 100 * M));
    assertThat(byCount).containsExactly(new double[] {101.25 * M, 99.75 * M, 99 * M}, within(1.0));
  }

  /**
   * The first could get 3 M but has room for 0.5 M. A quarter of the tax is taken: 0.25 M of each,
   * and the first gets 0.75 M.
   */
  @Test
  void pacedTakesNoMoreThanTheReceiversCanFill() {
    double[] allocated = {100 * M, 100 * M, 100 * M};
    double[] used = {100.5 * M / 1.05, 100 * M, 100 * M};
    double[] targets = paced(1, 1, 0).targets(view(blocking(9, 0, 0), allocated, used));
    assertThat(targets)
        .containsExactly(new double[] {100.5 * M, 99.75 * M, 99.75 * M}, within(1.0));
    double[] full = {100 * M / 1.2, 100 * M, 100 * M};
    assertThat(sum(paced(1, 1, 0).targets(view(blocking(9, 0, 0), allocated, full))))
        .isEqualTo(300 * M, within(1.0));
  }

  /** It blocks nine of ten requests, but nothing of it is cached. */
  @Test
  void anEmptyShareDoesNotGrowHoweverMuchItsBackendBlocks() {
    double[] allocated = {50 * M, 50 * M};
    for (int tick = 0; tick < 600; tick++) {
      double[] used = {0, allocated[1]};
      allocated = paced(1, 0, 0).targets(view(blocking(9, 1), allocated, used));
      assertThat(sum(allocated)).isEqualTo(100 * M, within(1.0));
      assertThat(allocated[0]).as("tick %d", tick).isLessThanOrEqualTo(50 * M + 1);
    }
  }

  /**
   * Whatever the weights and uses, a share that grows is at most five per cent larger than its use.
   */
  @Test
  void aShareThatGrowsHasNoMoreThanItsRoom() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      int n = 2 + random.nextInt(6);
      int[] blocked = new int[n];
      double[] allocated = new double[n];
      double[] used = new double[n];
      for (int b = 0; b < n; b++) {
        blocked[b] = random.nextInt(3) * random.nextInt(20);
        allocated[b] = (1 + random.nextInt(1_000)) * M;
        used[b] = allocated[b] * Math.min(1, random.nextInt(5) / 4.0 + random.nextInt(3) / 50.0);
      }
      ShareView view = view(blocking(blocked), allocated, used);
      if (random.nextBoolean()) {
        view.floors()[0] = allocated[0];
      }
      double[] targets = paced(1, 0, 0).targets(view);
      assertThat(sum(targets)).as("view %d", i).isEqualTo(sum(allocated), within(1.0));
      for (int b = 0; b < n; b++) {
        assertThat(targets[b])
            .as("share %d of view %d", b, i)
            .isBetween(0.99 * allocated[b] - 1, Math.max(allocated[b], 1.05 * used[b]) + 1);
      }
    }
  }

  /**
   * The process was stopped for an hour, and its loads in progress ended late. The usual latency
   * rises by 1,990 (1 - exp(-30/1200)) = 49 ms, and falls soon.
   */
  @Test
  void aStopOfTheProcessIsNotUsual() {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 1, 30 * SECOND);
    slowdowns.update(0, misses(4, 10));
    assertThat(slowdowns.update(3_600 * SECOND, misses(4, 2_000))[0]).isGreaterThan(10);
    double slowdown = 0;
    for (int tick = 1; tick <= 60; tick++) {
      slowdown = slowdowns.update((3_600 + 5 * tick) * SECOND, misses(400, 10))[0];
    }
    assertThat(slowdown).as("five minutes later").isGreaterThan(0.7);
  }

  /** Time constants 10 s and 1,200 s (down 100 s); a mean is of four misses at least. */
  @Test
  void aRiseIsASlowdownUntilItIsUsual() {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 4, 3_600 * SECOND);
    assertThat(slowdowns.update(0, misses(4, 10))[0]).isEqualTo(1);
    // After a long time the old misses are dropped except those that make up four: 40 ms now, usual
    // 10 + 30 (1 - exp(-600/1200)) = 21.8 ms.
    assertThat(slowdowns.update(600 * SECOND, misses(4, 40))[0]).isEqualTo(1.835, within(0.01));
    // Back at 10 ms: usual falls by exp(-100/100), from 21.8 to 10 + 11.8 x 0.368 = 14.3 ms.
    assertThat(slowdowns.update(700 * SECOND, misses(4, 10))[0]).isEqualTo(0.698, within(0.01));
  }

  @Test
  void fewMissesSayNothing() {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 4, 3_600 * SECOND);
    assertThat(slowdowns.update(0, misses(3, 10))[0]).isEqualTo(1);
    // Three old misses and one new, of any age: (30 + 50) / 4 = 20 ms is the initial usual latency.
    assertThat(slowdowns.update(3_600 * SECOND, misses(1, 50))[0]).isEqualTo(1);
    // Four misses of 20 ms were kept; an hour without misses changes nothing.
    assertThat(slowdowns.update(7_200 * SECOND, misses(0, 1))[0]).isEqualTo(1);
  }

  /** Of 40 old misses four are left after a long time without any, so a new one counts. */
  @Test
  void missesGetOldWithoutNewOnes() {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 4, 3_600 * SECOND);
    slowdowns.update(0, misses(40, 10));
    assertThat(slowdowns.update(100 * SECOND, misses(0, 1))[0]).isEqualTo(1);
    // A second later: (4 exp(-0.1) x 10 + 60) / (4 exp(-0.1) + 1) = 20.8 ms; usual 10.01 ms.
    assertThat(slowdowns.update(101 * SECOND, misses(1, 60))[0]).isEqualTo(2.08, within(0.01));
  }

  /** A rare miss, in a window that is widened until it has enough requests. */
  @Test
  void aMissOfSeveralWindowsCountsOnce() {
    PacedPolicy policy =
        new PacedPolicy(
            1, 0, 0.01, 0.05, 1, 1, new Slowdowns(10 * SECOND, 1_200 * SECOND, 3, 3_600 * SECOND));
    WindowStatistics none = new WindowRecorder(names(2)).cut();
    for (int i = 0; i < 8; i++) {
      ShareView view = at(i * SECOND, slow(i < 4 ? 10 : 90, 10));
      double[] targets =
          policy.targets(
              new ShareView(
                  view.nowNanos(),
                  view.statistics(),
                  i % 4 == 0 ? view.statistics() : none,
                  view.allocated(),
                  view.used(),
                  view.floors(),
                  view.curves()));
      assertThat(targets)
          .as("two misses are too few, in window %d", i)
          .containsExactly(new double[] {100 * M, 100 * M}, within(1.0));
    }
  }

  @Test
  void backendsComeAndGo() {
    Slowdowns slowdowns = new Slowdowns(10 * SECOND, 1_200 * SECOND, 1, 3_600 * SECOND);
    slowdowns.update(0, slow(10, 20));
    WindowRecorder recorder = new WindowRecorder(List.of("b1", "new"));
    recorder.miss(0, 40 * MS);
    recorder.miss(1, 5 * MS);
    double[] both = slowdowns.update(600 * SECOND, recorder.cut());
    // b1 relative to its past, 40 over 20 + 20 (1 - exp(-1/2)) = 27.9 ms; the new backend has no
    // past.
    assertThat(both[0]).isEqualTo(1.435, within(0.01));
    assertThat(both[1]).isEqualTo(1);
  }

  private static WindowStatistics misses(int count, int millis) {
    WindowRecorder recorder = new WindowRecorder(names(1));
    recorder.misses(0, count, millis * MS);
    return recorder.cut();
  }
}
