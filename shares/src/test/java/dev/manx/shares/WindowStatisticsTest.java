/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.SECOND;
import static dev.manx.shares.CacheFixtures.blocking;
import static dev.manx.shares.CacheFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WindowStatisticsTest {
  private static final int KILOBYTES_8 = 8_000;

  @Test
  void binsAreAtMostThreePercentWide() {
    for (int bin = 0; bin < LatencyBins.REQUEST_BINS; bin++) {
      long low = LatencyBins.requestEdge(bin);
      long high = LatencyBins.requestEdge(bin + 1);
      assertThat(LatencyBins.ofRequest(low)).isEqualTo(bin);
      assertThat(LatencyBins.ofRequest(high - 1)).isEqualTo(bin);
      assertThat((high - low) / (double) low).isLessThan(0.0313);
    }
    assertThat(LatencyBins.ofRequest(-5)).isZero();
    assertThat(LatencyBins.ofRequest(Long.MAX_VALUE)).isEqualTo(LatencyBins.REQUEST_BINS - 1);
    assertThat(LatencyBins.queryEdge(LatencyBins.ofQuery(75 * MS))).isLessThanOrEqualTo(75 * MS);
  }

  @Test
  void quantilesAreThoseOfWhatWasRecorded() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    for (int i = 1; i <= 1_000; i++) {
      recorder.request(i * MS, i % 2);
    }
    recorder.hits(0, 90, MS);
    recorder.misses(0, 10, 80 * MS);
    WindowStatistics window = recorder.cut();
    assertThat(window.requestNanos(0.99)).isEqualTo(990.0 * MS, within(31.0 * MS));
    assertThat(window.requestNanos(0.5)).isEqualTo(500.0 * MS, within(16.0 * MS));
    assertThat(window.queryNanos(0, 0.5)).isEqualTo(MS);
    assertThat(window.queryNanos(0, 0.99)).isEqualTo(80.0 * MS, within(10.0 * MS));
    assertThat(window.queryNanos(1, 0.99)).isNaN();
    assertThat(window.hitRatio(0)).isEqualTo(0.9);
    assertThat(window.hitRatio(1)).isNaN();
    assertThat(window.meanMissNanos(0)).isEqualTo(80.0 * MS);
    assertThat(recorder.cut().requests()).as("cutting begins anew").isZero();
  }

  /** Splitting a stream over servers and merging gives the result of one recorder. */
  @Test
  void windowsOfManyServersAddUpExactly() {
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<String> names = names(1 + random.nextInt(12));
      List<String> turned = new ArrayList<>(names);
      Collections.reverse(turned);
      WindowRecorder whole = new WindowRecorder(names);
      List<WindowRecorder> servers =
          List.of(new WindowRecorder(names), new WindowRecorder(turned), new WindowRecorder(names));
      for (int i = 0; i < 2_000; i++) {
        int server = random.nextInt(3);
        int backend = random.nextInt(names.size());
        int there = server == 1 ? names.size() - 1 - backend : backend;
        for (WindowRecorder recorder : List.of(whole, servers.get(server))) {
          record(recorder, recorder == whole ? backend : there, new SplittableRandom(seed * i));
        }
      }
      WindowStatistics sum =
          WindowStatistics.sum(servers.stream().map(WindowRecorder::cut).toList()).select(names);
      assertThat(WindowCodec.write(sum))
          .as("seed %d", seed)
          .isEqualTo(WindowCodec.write(whole.cut()));
    }
  }

  private static void record(WindowRecorder recorder, int backend, SplittableRandom random) {
    long nanos = (long) (MS * Math.exp(7 * random.nextDouble())) / 1_000 * 1_000;
    recorder.request(nanos, backend);
    recorder.miss(backend, nanos);
    recorder.hit(backend, nanos);
    if (random.nextInt(9) == 0) {
      recorder.request(nanos, WindowRecorder.NO_SHARE);
    }
    if (random.nextInt(50) == 0) {
      recorder.timedOut(10 * SECOND, backend);
      recorder.shadowHit(backend);
    }
  }

  @Test
  void aTimeOutBlamesAndIsCounted() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.timedOut(5 * SECOND, 1);
    WindowStatistics window = recorder.cut();
    assertThat(window.requests()).isEqualTo(1);
    assertThat(window.timeOuts()).isEqualTo(1);
    assertThat(window.blockedBy(1)).isEqualTo(1);
  }

  @Test
  void requestsThatNoShareMakesFasterCountForNoBackend() throws StatisticsFormatException {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.request(MS, 1);
    recorder.request(20 * MS, WindowRecorder.NO_SHARE);
    recorder.timedOut(5 * SECOND, WindowRecorder.NO_SHARE);
    WindowStatistics window = recorder.cut();
    for (WindowStatistics same :
        List.of(
            window,
            WindowCodec.read(WindowCodec.write(window), 2),
            window.plus(WindowStatistics.empty(List.of("other"))),
            WindowStatistics.empty(List.of("other")).plus(window).select(names(2)),
            window.rename(List.of("both"), new int[2]))) {
      assertThat(same.requests()).isEqualTo(3);
      assertThat(same.timeOuts()).isEqualTo(1);
      assertThat(same.requestNanos(0.5)).isEqualTo(20.0 * MS, within(1.0 * MS));
      long blocked = 0;
      for (int b = 0; b < same.backends().size(); b++) {
        blocked += same.blockedBy(b);
      }
      assertThat(blocked).isEqualTo(1);
      assertThat(same.requestsIn(LatencyBins.ofRequest(20 * MS))).isEqualTo(1);
    }
    assertThat(window.select(List.of("b0")).requests()).isEqualTo(2);
    assertThat(window.select(List.of("b0")).blockedBy(0)).isZero();
  }

  @Test
  void queriesOfSeveralKeysAreCountedOnce() throws StatisticsFormatException {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.query(1, 3, MS, 2, 2 * MS);
    recorder.query(1, 3, MS, 0, 0);
    recorder.query(1, 0, 0, 0, 0);
    recorder.hit(1, MS);
    recorder.miss(1, MS);
    WindowStatistics window = recorder.cut();
    for (WindowStatistics same :
        List.of(
            window,
            WindowCodec.read(WindowCodec.write(window), 2),
            WindowStatistics.empty(List.of("b0")).plus(window))) {
      assertThat(same.hits(1)).isEqualTo(7);
      assertThat(same.misses(1)).isEqualTo(3);
      assertThat(same.queries(1)).isEqualTo(4);
      assertThat(same.missQueries(1)).isEqualTo(2);
      assertThat(same.queries(0)).isZero();
    }
  }

  /** A server that is not yet upgraded. */
  @Test
  void theOldestVersionLacksRequestsOfNoBackend() throws StatisticsFormatException {
    WindowRecorder recorder = new WindowRecorder(names(3));
    recorder.request(MS, 2);
    recorder.misses(2, 4, MS);
    byte[] without = WindowCodec.write(recorder.cut(), WindowCodec.OLDEST_VERSION);
    recorder.request(MS, 2);
    recorder.query(2, 0, 0, 4, MS);
    recorder.request(20 * MS, WindowRecorder.NO_SHARE);
    byte[] with = WindowCodec.write(recorder.cut(), WindowCodec.OLDEST_VERSION);
    assertThat(with).isEqualTo(without);
    assertThat(WindowCodec.version(with)).isEqualTo(1);
    WindowStatistics read = WindowCodec.read(with, 3);
    assertThat(read.requests()).isEqualTo(1);
    assertThat(read.blockedBy(2)).isEqualTo(1);
    assertThat(read.misses(2)).isEqualTo(4);
    assertThat(read.queries(2)).as("one key each").isEqualTo(4);
    assertThat(read.missQueries(2)).isEqualTo(4);
    assertThat(WindowCodec.version(WindowCodec.write(read))).isEqualTo(WindowCodec.VERSION);
  }

  @Test
  void bytesReadAsTheyWereWritten() throws StatisticsFormatException {
    WindowRecorder recorder = new WindowRecorder(List.of("products", "Bewertungen-ä", "b3"));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 5_000; i++) {
      record(recorder, random.nextInt(3), random);
    }
    WindowStatistics window = recorder.cut();
    byte[] bytes = WindowCodec.write(window);
    WindowStatistics read = WindowCodec.read(bytes, 3);
    assertThat(read.backends()).isEqualTo(window.backends());
    assertThat(read.requests()).isEqualTo(window.requests());
    assertThat(read.requestNanos(0.99)).isEqualTo(window.requestNanos(0.99));
    assertThat(WindowCodec.write(read)).isEqualTo(bytes);
  }

  /** 1,000 requests of 50 queries to 20 backends, latencies spread over three decades. */
  @Test
  void aSecondOfABusyServerTakesLessThanEightKilobytes() {
    WindowRecorder recorder = new WindowRecorder(names(20));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      recorder.request((long) (MS * Math.exp(7 * random.nextDouble())), random.nextInt(20));
    }
    for (int i = 0; i < 50_000; i++) {
      int backend = random.nextInt(20);
      if (random.nextInt(3) > 0) {
        recorder.hit(backend, MS / 5);
      } else {
        recorder.miss(backend, (long) (MS * Math.exp(7 * random.nextDouble())));
      }
    }
    assertThat(WindowCodec.write(recorder.cut())).hasSizeLessThan(KILOBYTES_8);
  }

  @Test
  void invalidWindowsAreRefused() {
    byte[] good = WindowCodec.write(blocking(5, 3));
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      refused(cut, 20);
    }
    refused(Arrays.copyOf(good, good.length + 1), 20);
    assertThatThrownBy(() -> WindowCodec.read(good, 1))
        .isInstanceOf(StatisticsFormatException.class);
    byte[] other = good.clone();
    other[0] = 9;
    refused(other, 20);
    byte[] twice = good.clone();
    // version, number of names, length, "b0", length, "b1": makes the second name like the first
    twice[7] = twice[4];
    refused(twice, 20);
  }

  private static void refused(byte[] bytes, int most) {
    assertThatThrownBy(() -> WindowCodec.read(bytes, most))
        .isInstanceOf(StatisticsFormatException.class);
  }

  /** Randomly changed bytes are read or refused, with no other outcome. */
  @Test
  void noBytesBreakTheReader() {
    WindowRecorder recorder = new WindowRecorder(names(5));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 500; i++) {
      record(recorder, random.nextInt(5), random);
    }
    byte[] good = WindowCodec.write(recorder.cut());
    int read = 0;
    for (long seed = 0; seed < 5_000; seed++) {
      SplittableRandom damage = new SplittableRandom(seed);
      byte[] bytes = good.clone();
      for (int i = 1 + damage.nextInt(4); i > 0; i--) {
        bytes[damage.nextInt(bytes.length)] = (byte) damage.nextInt(256);
      }
      try {
        read += WindowCodec.read(bytes, 20).backends().size() > 0 ? 1 : 0;
      } catch (StatisticsFormatException e) {
        assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).+");
      }
    }
    assertThat(read).as("some damage only changes numbers").isPositive();
  }

  @Test
  void enoughWindowsAreTakenTogether() {
    RecentWindows windows = new RecentWindows(4);
    assertThat(windows.recent(SECOND, 1).requests()).isZero();
    for (int i = 1; i <= 6; i++) {
      windows.add(i * SECOND, blocking(10));
    }
    assertThat(windows.recent(SECOND, 1).requests()).isEqualTo(10);
    assertThat(windows.recent(2 * SECOND, 1).requests()).isEqualTo(20);
    assertThat(windows.recent(SECOND, 25).requests()).isEqualTo(30);
    assertThat(windows.recent(SECOND, 1_000).requests()).as("four are kept").isEqualTo(40);
    windows.add(SECOND, blocking(7));
    assertThat(windows.recent(100 * SECOND, 1_000).requests()).as("clock went back").isEqualTo(7);
  }

  @Test
  void theWidestWindowCanHaveWhatThePresentRateGives() {
    RecentWindows windows = new RecentWindows(4);
    windows.add(SECOND, blocking(10));
    assertThat(windows.canHave(40)).isTrue();
    assertThat(windows.canHave(41)).isFalse();
    windows.add(2 * SECOND, blocking(0));
    assertThat(windows.canHave(20)).isTrue();
    assertThat(windows.canHave(21)).isFalse();
    for (int i = 3; i <= 6; i++) {
      windows.add(i * SECOND, blocking(3));
    }
    assertThat(windows.canHave(12)).isTrue();
    assertThat(windows.canHave(13)).as("four are kept").isFalse();
  }

  @Test
  void aWindowIsTheLatestOfOneDecisionOnly() {
    SharePolicy any = ShareView::allocated;
    RecentWindows windows = new RecentWindows(4);
    assertThat(windows.forDecision(windows.recent(SECOND, 1), any)).isNull();
    windows.add(SECOND, blocking(10));
    windows.add(2 * SECOND, blocking(3));
    DecisionStatistics first = windows.forDecision(windows.recent(10 * SECOND, 1), any);
    assertThat(first.latest().requests()).isEqualTo(13);
    assertThat(first.asOfNanos()).isEqualTo(2 * SECOND);
    windows.add(3 * SECOND, blocking(0));
    assertThat(windows.forDecision(windows.recent(10 * SECOND, 1), any)).as("no news").isNull();
    windows.add(4 * SECOND, blocking(5));
    DecisionStatistics next = windows.forDecision(windows.recent(10 * SECOND, 1), any);
    assertThat(next.recent().requests()).isEqualTo(18);
    assertThat(next.latest().requests()).isEqualTo(5);
    for (int i = 5; i <= 11; i++) {
      windows.add(i * SECOND, blocking(1));
    }
    assertThat(windows.forDecision(windows.recent(SECOND, 1), any).latest().requests())
        .as("four are kept")
        .isEqualTo(4);
    windows.add(SECOND, blocking(7));
    assertThat(windows.forDecision(windows.recent(SECOND, 1), any).latest().requests())
        .as("clock went back")
        .isEqualTo(7);
  }

  @Test
  void thereIsNoDecisionOnTooFewRequests() {
    SharePolicy robinHood = CacheStrategy.named("cache.robinhood").newPolicy();
    RecentWindows windows = new RecentWindows(4);
    windows.add(SECOND, blocking(1_249));
    assertThat(windows.forDecision(windows.recent(SECOND, 1), robinHood)).isNull();
    windows.add(2 * SECOND, blocking(1_251));
    assertThat(windows.forDecision(windows.recent(SECOND, 1), robinHood)).isNotNull();
  }

  /** A policy that needs many requests needs them under any other, too. */
  @Test
  void whatADecisionNeedsIsWhatThePolicyInsideNeeds() {
    SharePolicy robinHood = CacheStrategy.named("cache.robinhood").newPolicy();
    assertThat(robinHood.leastRequests()).isEqualTo(5_000);
    assertThat(BenefitVeto.over(robinHood, 0.05).leastRequests()).isEqualTo(5_000);
    assertThat(new ShadowPolicy(robinHood).leastRequests()).isEqualTo(5_000);
    assertThat(new GroupedPolicy(robinHood, List.of()).leastRequests()).isEqualTo(5_000);
    assertThat(CacheStrategy.named("cache.guarded").newPolicy().leastRequests()).isEqualTo(5_000);
    assertThat(CacheStrategy.named("cache.paced").newPolicy().leastRequests()).isEqualTo(250);
    assertThat(CacheStrategy.named("cache.fair").newPolicy().leastRequests()).isEqualTo(1);
  }

  @Test
  void sizesGrowWithBinsAndNames() {
    assertThat(WindowStatistics.empty(List.of()).heldBytes()).isBetween(3_000L, 4_000L);
    WindowRecorder recorder = new WindowRecorder(List.of("b"));
    for (int bin = 0; bin < LatencyBins.REQUEST_BINS; bin++) {
      recorder.request(LatencyBins.requestEdge(bin), 0);
    }
    assertThat(recorder.cut().heldBytes()).isBetween(27_000L, 29_000L);
    assertThat(WindowStatistics.empty(List.of("b".repeat(100))).heldBytes())
        .isEqualTo(WindowStatistics.empty(List.of("b")).heldBytes() + 2 * 99);
  }

  /** Counts near the largest, of a faulty or hostile peer, saturate and can still be sent. */
  @Test
  @Timeout(60)
  void absurdCountsSaturate() throws Exception {
    WindowRecorder recorder = new WindowRecorder(names(2));
    recorder.request(SECOND, 0);
    recorder.timedOut(SECOND, 1);
    recorder.hit(0, SECOND);
    recorder.miss(1, SECOND);
    recorder.miss(1, 2 * SECOND);
    recorder.shadowHit(1);
    WindowStatistics sum = recorder.cut();
    for (int i = 0; i < 70; i++) {
      sum = sum.plus(sum);
    }
    assertThat(sum.blockedBy(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(sum.hits(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(sum.misses(1)).isEqualTo(Integer.MAX_VALUE);
    assertThat(sum.meanMissNanos(1)).isPositive();
    WindowStatistics back = WindowCodec.read(WindowCodec.write(sum), 10);
    assertThat(back.requests()).isEqualTo(sum.requests());
    assertThat(back.misses(1)).isEqualTo(sum.misses(1));
  }
}
