/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static dev.manx.load.Runs.MILLI;
import static dev.manx.load.Runs.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.workload.Arrivals;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The generator in virtual time, compared with hand computation or queueing theory. */
class LoadRunTest {
  private final VirtualTime time = new VirtualTime();

  @Test
  void everyRequestSeesAStallOfTheTarget() throws InterruptedException {
    SingleServer server = new SingleServer(time, () -> MILLI);
    long start = time.nanoTime();
    time.at(start + 2 * SECOND - 1, () -> server.stallUntil(start + 3 * SECOND));
    LoadResult result =
        Runs.run(time, Runs.singles(Arrivals.FIXED), 100, server, window(0, 10 * SECOND));

    // 100 requests arrive during the stall, one every 10 ms: number k waits 1000 - 10k ms, then for
    // the k before it, 1 ms each; the backlog is gone 11 requests after the stall. A closed loop
    // would have seen one slow request.
    Histogram latency = result.all().latencyNanos();
    assertThat(result.all().ok()).isEqualTo(1000);
    assertThat(latency.getMaxValue()).isCloseTo(1001 * MILLI, within(MILLI));
    assertThat(latency.getCountBetweenValues(2 * MILLI, 2 * SECOND)).isBetween(110L, 112L);
    assertThat(latency.getValueAtPercentile(95)).isBetween(540 * MILLI, 560 * MILLI);
    assertThat(latency.getValueAtPercentile(50)).isCloseTo(MILLI, within(MILLI / 500));
    assertThat(result.scheduleLagNanos().getMaxValue()).isLessThan(Histograms.LOWEST_NANOS);
  }

  /** Otherwise a cost per read sent would be lower for a target that refuses requests. */
  @Test
  void readsOfRequestsThatReachedNoNodeAreNotCounted() throws InterruptedException {
    Target target =
        request ->
            switch ((int) request.sequence() % 4) {
              case 0 -> CompletableFuture.completedFuture(RequestOutcome.unsent("full"));
              case 1 -> CompletableFuture.completedFuture(RequestOutcome.error("lost"));
              case 2 -> CompletableFuture.completedFuture(RequestOutcome.timedOut("late"));
              default -> answered(request, MILLI);
            };
    ClassResult all =
        Runs.run(time, Runs.singles(Arrivals.FIXED), 100, target, window(0, 10 * SECOND)).all();
    assertThat(all.errors()).isEqualTo(500);
    assertThat(all.reads()).isEqualTo(750);
    assertThat(all.latencyNanos().getTotalCount()).as("timed out or answered").isEqualTo(500);
  }

  @Test
  void everyRequestSeesAStallOfTheDispatcher() throws InterruptedException {
    Target target =
        request -> {
          if (request.sequence() == 200) {
            time.block(SECOND);
          }
          return answered(request, MILLI);
        };
    LoadResult result =
        Runs.run(time, Runs.singles(Arrivals.FIXED), 100, target, window(0, 10 * SECOND));
    Histogram latency = result.all().latencyNanos();
    assertThat(latency.getMaxValue()).isCloseTo(1001 * MILLI, within(MILLI));
    assertThat(latency.getCountBetweenValues(2 * MILLI, 2 * SECOND)).isEqualTo(100);
    assertThat(result.scheduleLagNanos().getMaxValue()).isCloseTo(990 * MILLI, within(MILLI));
    assertThat(result.scheduleLagNanos().getCountBetweenValues(MILLI, SECOND)).isEqualTo(99);
  }

  @Test
  void afterAStallOfTheDispatcherNoBurstIsSentIfLateRequestsAreNot() throws InterruptedException {
    List<Long> sent = new ArrayList<>();
    Target target =
        request -> {
          if (request.sequence() == 200) {
            time.block(SECOND);
          }
          sent.add(request.sequence());
          return answered(request, MILLI);
        };
    LoadResult result =
        new LoadRun(
                Runs.singles(Arrivals.FIXED).stream(100, 1),
                target,
                window(0, 10 * SECOND),
                progress -> {},
                time)
            .atMostLate(200 * MILLI)
            .run();
    // Number 200 + k is 1000 - 10k ms late.
    assertThat(result.all().offered()).isEqualTo(1000);
    assertThat(result.all().notSent()).isBetween(78L, 80L);
    assertThat(sent).hasSize((int) (1000 - result.all().notSent())).contains(199L, 200L, 281L);
    assertThat(sent).doesNotContain(201L, 278L);
    assertThat(result.all().latencyNanos().getMaxValue())
        .as("of number 200 itself")
        .isCloseTo(1001 * MILLI, within(MILLI));
    assertThat(result.scheduleLagNanos().getMaxValue())
        .as("the pause is seen")
        .isCloseTo(990 * MILLI, within(MILLI));
  }

  @Test
  void sojournsAreThoseOfAnMm1Queue() throws InterruptedException {
    SingleServer server = SingleServer.exponential(time, MILLI, 4);
    LoadResult result =
        Runs.run(
            time, Runs.singles(Arrivals.POISSON), 700, server, window(10 * SECOND, 600 * SECOND));
    double mean = MILLI / 0.3;
    Histogram latency = result.all().latencyNanos();
    assertThat(latency.getMean()).isCloseTo(mean, within(0.05 * mean));
    assertThat((double) latency.getValueAtPercentile(99))
        .isCloseTo(mean * Math.log(100), within(0.07 * mean * Math.log(100)));
    assertThat(result.all().throughputPerSecond()).isCloseTo(700, within(7.0));
    assertThat(result.backlog().growing()).isFalse();
    assertThat(result.backlog().middle()).isCloseTo(0.7 / 0.3, within(0.4));
  }

  @Test
  void tooHighARateShowsAsGrowingBacklog() throws InterruptedException {
    SingleServer server = SingleServer.exponential(time, MILLI, 4);
    LoadResult result =
        Runs.run(time, Runs.singles(Arrivals.POISSON), 1200, server, window(SECOND, 20 * SECOND));
    assertThat(result.backlog().growing()).isTrue();
    assertThat(result.all().throughputPerSecond()).isCloseTo(1000, within(25.0));
    assertThat(result.all().offered()).isEqualTo(result.all().sent() + result.all().notSent());
  }

  /** The backlog cannot grow beyond it, so only the requests that are not sent show it. */
  @Test
  void anOverloadShowsThoughTheBacklogIsAtItsCeiling() throws InterruptedException {
    SingleServer server = new SingleServer(time, () -> 2 * MILLI);
    LoadSettings settings = Runs.settings(SECOND, 10 * SECOND, 100);
    LoadResult result = Runs.run(time, Runs.singles(Arrivals.FIXED), 1000, server, settings);
    assertThat(result.all().notSent()).isBetween(4_900L, 5_100L);
    assertThat(result.backlog().start()).isCloseTo(result.backlog().end(), within(2.0));
    assertThat(result.backlog().growing()).isTrue();
  }

  @Test
  void anOverloadShowsThoughTheBacklogReachesItsCeilingInTheWindow() throws InterruptedException {
    SingleServer server = new SingleServer(time, () -> 2 * MILLI);
    LoadSettings settings = Runs.settings(0, 10 * SECOND, 1_500);
    LoadResult result = Runs.run(time, Runs.singles(Arrivals.FIXED), 1000, server, settings);
    assertThat(result.backlog().end()).isCloseTo(result.backlog().middle(), within(2.0));
    assertThat(result.backlog().growing()).isTrue();
  }

  @Test
  void anOverloadShowsThoughTimeOutsBoundTheBacklog() throws InterruptedException {
    SingleServer server = new SingleServer(time, () -> 2 * MILLI);
    LoadResult result =
        Runs.run(
            time,
            Runs.singles(Arrivals.FIXED),
            1000,
            request -> {
              CompletableFuture<RequestOutcome> answer = timesOut();
              server.send(request).thenAccept(answer::complete);
              return answer;
            },
            window(SECOND, 10 * SECOND));
    assertThat(result.all().timedOut()).isGreaterThan(4_900);
    assertThat(result.backlog().end()).isCloseTo(result.backlog().start(), within(2.0));
    assertThat(result.backlog().growing()).isTrue();
  }

  private CompletableFuture<RequestOutcome> timesOut() {
    CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
    time.after(250 * MILLI, () -> answer.complete(RequestOutcome.timedOut("late")));
    return answer;
  }

  /** Requests of a part of the window time out, as during an event. */
  @Test
  void aPauseOfTheTargetIsNoOverload() throws InterruptedException {
    LoadResult result =
        Runs.run(
            time,
            Runs.singles(Arrivals.FIXED),
            1000,
            request -> {
              if (request.intendedNanos() < 3 * SECOND || request.intendedNanos() > 8 * SECOND) {
                return answered(request, MILLI);
              }
              return timesOut();
            },
            window(0, 10 * SECOND));
    assertThat(result.all().timedOut()).isGreaterThan(4_900);
    assertThat(result.backlog().growing()).isFalse();
  }

  /** Its target is idle most of the time, and its requests wait before they are sent. */
  @Test
  void aGeneratorThatFallsBehindHasABacklog() throws InterruptedException {
    LoadResult result =
        Runs.run(
            time,
            Runs.singles(Arrivals.POISSON),
            500,
            request -> {
              time.block(3 * MILLI);
              return CompletableFuture.completedFuture(RequestOutcome.ok(1));
            },
            window(SECOND, 10 * SECOND));
    assertThat(result.backlog().growing()).isTrue();
    // The last fifth is sent 5 s late on average, at 333 a second.
    assertThat(result.backlog().end()).isCloseTo(5 * 333, within(100.0));
  }

  @Test
  void warmUpIsSentButNotMeasured() throws InterruptedException {
    Target target =
        request ->
            request.sequence() < 100
                ? CompletableFuture.completedFuture(RequestOutcome.error("Cold"))
                : answered(request, MILLI);
    LoadResult result =
        Runs.run(time, Runs.singles(Arrivals.FIXED), 100, target, window(2 * SECOND, 3 * SECOND));
    assertThat(result.warmUpSent()).isEqualTo(200);
    assertThat(result.warmUpFailed()).isEqualTo(100);
    assertThat(result.all().offered()).isEqualTo(300);
    assertThat(result.all().errors()).isZero();
    assertThat(result.failures()).containsEntry("Cold", 100L);
    assertThat(result.all().throughputPerSecond()).isCloseTo(100, within(1.0));
  }

  @Test
  void aTargetThatWasAskedNothingIsNotOneThatAnswersNothing() throws InterruptedException {
    Target failing = request -> CompletableFuture.completedFuture(RequestOutcome.error("down"));
    LoadResult none =
        Runs.run(time, Runs.singles(Arrivals.POISSON), 0.001, failing, window(0, SECOND));
    assertThat(none.all().offered()).isZero();
    assertThat(none.answersNothing()).isFalse();
    LoadResult failed =
        Runs.run(time, Runs.singles(Arrivals.FIXED), 100, failing, window(0, SECOND));
    assertThat(failed.answersNothing()).isTrue();
    LoadResult answered =
        Runs.run(
            time,
            Runs.singles(Arrivals.FIXED),
            100,
            request -> answered(request, MILLI),
            window(0, SECOND));
    assertThat(answered.answersNothing()).isFalse();
  }

  private CompletionStage<RequestOutcome> answered(PlannedRequest request, long afterNanos) {
    CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
    time.after(afterNanos, () -> answer.complete(RequestOutcome.ok(request.reads())));
    return answer;
  }

  private static LoadSettings window(long warmUpNanos, long measuredNanos) {
    return Runs.settings(warmUpNanos, measuredNanos, LoadSettings.MAX_OUTSTANDING);
  }
}
