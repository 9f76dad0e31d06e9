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

import dev.manx.policy.SplitMix;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked examples of the policies' sources, computed by hand. */
class SharePolicyExamplesTest {
  private static final double M = MB;
  // If every request counts as near the goal, the blocking counts are those of the example.
  private static final Goals ALL = new Goals(List.of(0.5), 0.5, 1);
  private static final double[] EQUAL = {10_000 * M, 10_000 * M, 10_000 * M, 10_000 * M};

  private static RobinHoodPolicy robinHood() {
    return new RobinHoodPolicy(0.01, 0.3, ALL);
  }

  @Test
  void robinHoodTaxesAllAndGivesByBlockingCount() {
    double[] targets = robinHood().targets(view(blocking(60, 30, 10, 0), EQUAL));
    assertThat(targets)
        .containsExactly(new double[] {10_140e6, 10_020e6, 9_940e6, 9_900e6}, within(1.0));
  }

  @Test
  void robinHoodGivesNothingToWhoDoesNotUseItsShare() {
    double[] used = {10_000 * M, 10_000 * M, 10_000 * M / 1.31, 10_000 * M};
    double[] targets = robinHood().targets(view(blocking(60, 30, 10, 0), EQUAL, used));
    assertThat(targets)
        .containsExactly(new double[] {10_166.67e6, 10_033.33e6, 9_900e6, 9_900e6}, within(1e4));
    used[2] = 10_000 * M / 1.29;
    assertThat(robinHood().targets(view(blocking(60, 30, 10, 0), EQUAL, used))[2])
        .isEqualTo(9_940e6, within(1.0));
  }

  /**
   * By hand: 900 of 1,000 requests waited for no miss. So the pool of 3 MB is divided by the other
   * 60 and 40.
   */
  @Test
  void robinHoodGivesNothingForRequestsThatNoShareMakesFaster() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    int[] blocked = {0, 60, 40};
    for (int b = 0; b < 3; b++) {
      for (int i = 0; i < blocked[b]; i++) {
        recorder.request(20 * MS, b);
      }
    }
    for (int i = 0; i < 900; i++) {
      recorder.request(20 * MS, WindowRecorder.NO_SHARE);
    }
    assertThat(robinHood().targets(view(recorder.cut(), 100 * M, 100 * M, 100 * M)))
        .containsExactly(new double[] {99e6, 100.8e6, 100.2e6}, within(1.0));
  }

  @Test
  void robinHoodLeavesSharesWhenNoBackendBlocks() {
    assertThat(robinHood().targets(view(blocking(0, 0, 0, 0), EQUAL))).containsExactly(EQUAL);
    double[] unused = new double[4];
    assertThat(robinHood().targets(view(blocking(5, 1, 1, 1), EQUAL, unused)))
        .containsExactly(EQUAL);
  }

  @Test
  void robinHoodDoesNotTaxBelowTheFloor() {
    ShareView view = view(blocking(1, 0), 100 * M, 30 * M);
    view.floors()[1] = 30 * M;
    assertThat(robinHood().targets(view)).containsExactly(100 * M, 30 * M);
  }

  /** Of 1,000 requests those ranked 985 to 994 from zero count, and no others. */
  @Test
  void blockingCountsAreThoseBetweenP985AndP995() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    for (int rank = 0; rank < 1_000; rank++) {
      // Latencies a bin apart where necessary, so that no bin contains both kinds.
      long nanos = (rank < 985 ? 1 : rank < 995 ? 50 : 400) * MS;
      recorder.request(nanos, rank < 985 ? 0 : rank < 995 ? 1 : 2);
    }
    double[] counts = Goals.parse("p99", 0.005).blockingCounts(recorder.cut());
    assertThat(counts).containsExactly(new double[] {0, 10, 0}, within(1e-9));
  }

  @Test
  void aBandThatCutsABinCountsItInProportion() {
    double[] counts = Goals.parse("p99", 0.005).blockingCounts(blocking(600, 400));
    assertThat(counts).containsExactly(new double[] {6, 4}, within(1e-9));
    double[] two = Goals.parse("p50,p99", 0.005).blockingCounts(blocking(600, 400));
    assertThat(two).containsExactly(new double[] {12, 8}, within(1e-9));
  }

  @Test
  void fairGivesToHitRatiosBelowTheMean() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    hits(recorder, 0, 90, 10);
    hits(recorder, 1, 60, 40);
    hits(recorder, 2, 30, 70);
    double[] targets =
        new FairPolicy(0.01, 0.3).targets(view(recorder.cut(), 100 * M, 100 * M, 100 * M));
    assertThat(targets).containsExactly(new double[] {99 * M, 99 * M, 102 * M}, within(1.0));
  }

  @Test
  void fairGivesNothingToWhoHasNoHitAtAll() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    hits(recorder, 0, 90, 10);
    hits(recorder, 1, 40, 60);
    hits(recorder, 2, 0, 100);
    double[] targets =
        new FairPolicy(0.01, 0.3).targets(view(recorder.cut(), 100 * M, 100 * M, 100 * M));
    // mean 0.433, so only the second is below it and has hits
    assertThat(targets).containsExactly(new double[] {99 * M, 102 * M, 99 * M}, within(1.0));
  }

  private static void hits(WindowRecorder recorder, int backend, int hits, int misses) {
    recorder.hits(backend, hits, MS);
    recorder.misses(backend, misses, 10 * MS);
  }

  /** P99 of 100, 50, 30 ms: mean 60, cut 54, so all goes to the first. */
  @Test
  void lamaGivesToQueryTailsAboveTheMean() {
    double[] one = lama(100, 50, 30);
    assertThat(one[0]).isEqualTo(102 * M, within(1.0));
    assertThat(one[1]).isEqualTo(99 * M, within(1.0));
    // 100, 90, 10: mean 66.7, cut 60, so 100/190 and 90/190 of a pool of 3 M
    double[] two = lama(100, 90, 10);
    // to the width of a bin of query latencies (13 %)
    assertThat(two[0]).isEqualTo(99 * M + 3 * M * 100 / 190, within(0.15 * M));
    assertThat(two[1]).isEqualTo(99 * M + 3 * M * 90 / 190, within(0.15 * M));
    assertThat(two[2]).isEqualTo(99 * M, within(1.0));
  }

  private static double[] lama(long... millis) {
    WindowRecorder recorder = new WindowRecorder(names(millis.length));
    for (int b = 0; b < millis.length; b++) {
      recorder.hits(b, 50, MS / 10);
      recorder.misses(b, 50, millis[b] * MS);
    }
    return new LamaPolicy(0.01, 0.3).targets(view(recorder.cut(), 100 * M, 100 * M, 100 * M));
  }

  /** Three hits in one's shadow, one in the other's: two credits are transferred. */
  @Test
  void cliffhangerPaysForShadowHits() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    for (int i = 0; i < 3; i++) {
      recorder.shadowHit(0);
    }
    recorder.shadowHit(1);
    double[] targets =
        new CliffhangerPolicy(new SplitMix(1), 4_096, 1 << 20)
            .targets(view(recorder.cut(), 100 * M, 100 * M));
    assertThat(targets).containsExactly(100 * M + 2 * 4_096, 100 * M - 2 * 4_096);
  }

  /** A window of five intervals: each hit earned its credit five times. */
  @Test
  void cliffhangerPaysForAShadowHitOnce() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.shadowHit(0);
    WindowStatistics latest = recorder.cut();
    for (int i = 0; i < 5; i++) {
      recorder.shadowHit(0);
    }
    ShareView view = view(recorder.cut(), 100 * M, 100 * M);
    double[] targets =
        new CliffhangerPolicy(new SplitMix(1), 4_096, 1 << 20)
            .targets(
                new ShareView(
                    0,
                    view.statistics(),
                    latest,
                    view.allocated(),
                    view.used(),
                    view.floors(),
                    view.curves()));
    assertThat(targets).containsExactly(100 * M + 4_096, 100 * M - 4_096);
  }

  @Test
  void theStandInForCliffhangerGivesByRateOfQueries() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    hits(recorder, 0, 200, 100);
    hits(recorder, 1, 50, 50);
    double[] targets =
        new RequestRatePolicy(0.01, 0.3).targets(view(recorder.cut(), 100 * M, 100 * M));
    assertThat(targets).containsExactly(new double[] {100.5 * M, 99.5 * M}, within(1.0));
  }

  /** Equal rates; one's curve falls twice as steeply, the other's only behind a cliff. */
  @Test
  void missCurvesDrawSpaceByTheirConvexSlope() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    for (int b = 0; b < 3; b++) {
      hits(recorder, b, 50, 50);
    }
    ShareView view = view(recorder.cut(), 100 * M, 100 * M, 100 * M);
    double[] spaces = {0, 100 * M, 200 * M, 300 * M};
    List<MissCurve> curves =
        List.of(
            new MissCurve(spaces, new double[] {1, 0.6, 0.2, 0.2}),
            // convex: from 1 to 0.4 over 300 M, half as steep
            new MissCurve(spaces, new double[] {1, 1, 1, 0.4}),
            new MissCurve(spaces, new double[] {0.5, 0.5, 0.5, 0.5}));
    ShareView sampled =
        new ShareView(0, view.statistics(), view.allocated(), view.used(), view.floors(), curves);
    double[] targets = new MissGradientPolicy(0.01, 0.3).targets(sampled);
    assertThat(targets).containsExactly(new double[] {101 * M, 100 * M, 99 * M}, within(1.0));
  }

  @Test
  void staticLearnsTheAverageAndKeepsIt() {
    SharePolicy doubling =
        view -> new double[] {view.allocated()[0] + 10, view.allocated()[1] - 10};
    StaticPolicy policy = new StaticPolicy(doubling, 20);
    assertThat(policy.targets(at(0, 100, 100))).containsExactly(110, 90);
    assertThat(policy.targets(at(10, 110, 90))).containsExactly(120, 80);
    // the average of 100 and 110 is 105
    assertThat(policy.targets(at(20, 120, 80))).containsExactly(105, 95);
    assertThat(policy.targets(at(30, 105, 95))).containsExactly(105, 95);
    StaticPolicy fixed = new StaticPolicy(doubling, 0);
    assertThat(fixed.targets(at(0, 120, 80))).containsExactly(120, 80);
  }

  /** As many backends as before, but not the same ones: the average is of no use to them. */
  @Test
  void staticBeginsAgainWhenABackendIsReplaced() {
    StaticPolicy policy = new StaticPolicy(ShareView::allocated, 0);
    assertThat(policy.targets(at(0, 150, 50))).containsExactly(150, 50);
    WindowRecorder others = new WindowRecorder(List.of("b1", "b2"));
    others.request(100 * MS, 0);
    assertThat(policy.targets(view(others.cut(), 50, 150))).containsExactly(50, 150);
  }

  /** A store could not take all of its share, so less than before is to be divided. */
  @Test
  void staticDividesWhatThereIs() {
    StaticPolicy policy = new StaticPolicy(ShareView::allocated, 0);
    assertThat(policy.targets(at(0, 150, 50))).containsExactly(150, 50);
    assertThat(policy.targets(at(10, 110, 50))).containsExactly(120, 40);
  }

  /** The store of the third rejects resizing, and is asked again from time to time. */
  @Test
  void staticEndsLearningThoughABackendComesAndGoes() {
    SharePolicy taking =
        view -> {
          double[] targets = view.allocated().clone();
          targets[0] += 10;
          targets[1] -= 10;
          return targets;
        };
    StaticPolicy policy = new StaticPolicy(taking, 40);
    assertThat(policy.targets(at(0, 100, 100, 100))).containsExactly(110, 90, 100);
    assertThat(policy.targets(at(10, 110, 90))).containsExactly(120, 80);
    assertThat(policy.targets(at(20, 120, 80, 100))).containsExactly(130, 70, 100);
    assertThat(policy.targets(at(30, 130, 70))).containsExactly(140, 60);
    // On average 115 and 85 in four views, and 100 in two.
    double[] fixed = {115, 85, 100};
    for (int now = 40; now < 400; now += 20) {
      assertThat(policy.targets(at(now, 140, 60, 100))).containsExactly(fixed, within(1e-9));
      assertThat(policy.targets(at(now + 10, 115, 85))).containsExactly(115, 85);
    }
  }

  private static ShareView at(long now, double... allocated) {
    int[] blocked = new int[allocated.length];
    blocked[0] = 5;
    ShareView view = view(blocking(blocked), allocated);
    return new ShareView(
        now, view.statistics(), allocated, view.used(), view.floors(), view.curves());
  }

  /** One LRU of three entries, a1 b1 b2 b3: a1 is evicted, so its next query misses. */
  @Test
  void theSharedCacheEvictsTheOldestEntry() {
    ByteLru lru = new ByteLru(8, 3, slot -> {});
    for (int slot : new int[] {0, 5, 6, 7}) {
      lru.put(slot, 1);
    }
    assertThat(lru.contains(0)).isFalse();
    assertThat(lru.contains(5)).isTrue();
    assertThat(new SharedPolicy().partitions()).isFalse();
  }

  @Test
  void aGroupIsOneUnitAndSplitsByMisses() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    recorder.request(100 * MS, 0);
    recorder.request(100 * MS, 1);
    hits(recorder, 0, 10, 10);
    hits(recorder, 1, 10, 30);
    hits(recorder, 2, 10, 30);
    SharePolicy grouped = new GroupedPolicy(robinHood(), List.of(List.of("b0", "b1")));
    double[] targets = grouped.targets(view(recorder.cut(), 100 * M, 100 * M, 100 * M));
    // the unit pays 2 M of tax, gets the pool of 3 M, and its gain of 1 M goes 1:3 by misses
    assertThat(targets).containsExactly(new double[] {100.25 * M, 100.75 * M, 99 * M}, within(1.0));
    assertThat(sum(targets)).isEqualTo(300 * M, within(1.0));
  }

  /** Two new backends without space that have not answered yet count as blockers of time-outs. */
  @Test
  void aGroupWithoutSpaceOrMissesSplitsEqually() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    recorder.timedOut(100 * MS, 0);
    SharePolicy grouped = new GroupedPolicy(robinHood(), List.of(List.of("b0", "b1")));
    double[] targets = grouped.targets(view(recorder.cut(), 0, 0, 100 * M));
    assertThat(targets).containsExactly(new double[] {0.5 * M, 0.5 * M, 99 * M}, within(1.0));
  }
}
