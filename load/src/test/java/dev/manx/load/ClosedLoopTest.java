/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClosedLoopTest {
  private static final int CLIENTS = 3;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Test
  void asManyRequestsAreUnderWayAsThereAreClients() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
    try {
      LoadResult result =
          run(
              request ->
                  CompletableFuture.supplyAsync(
                      () -> {
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        Thread.yield();
                        underWay.decrementAndGet();
                        return RequestOutcome.ok(1);
                      },
                      threads));
      assertThat(most.get()).isBetween(1, CLIENTS);
      assertThat(result.all().ok()).isPositive();
      assertThat(result.all().errors()).isZero();
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void latencyCountsFromTheEndOfTheRequestBefore() throws InterruptedException {
    // One client, so its requests follow each other without gaps.
    LoadSettings settings = Runs.settings(0, 50_000_000L, 1000);
    LoadResult result =
        new LoadRun(
                Runs.singles(Arrivals.FIXED).stream(1000, 1),
                request -> {
                  LockSupport.parkNanos(100_000);
                  return CompletableFuture.completedFuture(RequestOutcome.ok(1));
                },
                settings,
                look -> {})
            .closed(1)
            .run();
    double sum =
        result.all().latencyNanos().getMean() * result.all().latencyNanos().getTotalCount();
    assertThat(sum).isGreaterThan(0.97 * settings.measuredNanos());
  }

  @Test
  void aRequestThatFailsMakesRoomForTheNext() throws InterruptedException {
    LoadResult result =
        runUntilMoreThanClients(
            request -> {
              most.incrementAndGet();
              throw new IllegalStateException("no");
            });
    assertThat(result.all().ok()).isZero();
  }

  /** While no node could be reached, millions of requests failed. */
  @Test
  void aClientWaitsAfterARequestThatWasNotSent() throws InterruptedException {
    LoadResult result =
        runUntilMoreThanClients(
            request -> {
              most.incrementAndGet();
              return CompletableFuture.completedFuture(RequestOutcome.unsent("no node is up"));
            });
    // 200 ms, and a pause of 1 ms after each.
    assertThat(most.get()).isLessThanOrEqualTo(CLIENTS * 200);
    assertThat(result.all().ok()).isZero();
  }

  @Test
  void aTargetThatNeverAnswersGetsNoMoreThanThat() throws InterruptedException {
    LoadResult result =
        run(
            request -> {
              most.incrementAndGet();
              return new CompletableFuture<>();
            });
    assertThat(most.get()).isEqualTo(CLIENTS);
    assertThat(result.unanswered()).isEqualTo(CLIENTS);
  }

  @Test
  void moreClientsThanMayBeUnderWayAreRefused() {
    LoadSettings settings = Runs.settings(0, Runs.SECOND, CLIENTS);
    LoadRun run =
        new LoadRun(
            Runs.singles(Arrivals.POISSON).stream(1000, 1),
            request -> new CompletableFuture<>(),
            settings,
            look -> {});
    assertThatThrownBy(() -> run.closed(CLIENTS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining((CLIENTS + 1) + " clients")
        .hasMessageContaining("the " + CLIENTS + " allowed");
    assertThat(run.closed(CLIENTS)).isSameAs(run);
  }

  /** Repeats runs that the machine paused until their end, after their first requests. */
  private LoadResult runUntilMoreThanClients(Target target) throws InterruptedException {
    LoadResult result;
    do {
      most.set(0);
      result = run(target);
    } while (most.get() <= CLIENTS);
    return result;
  }

  private static LoadResult run(Target target) throws InterruptedException {
    return new LoadRun(
            Runs.singles(Arrivals.POISSON).stream(1000, 1),
            target,
            new LoadSettings(
                0,
                200 * Runs.MILLI,
                50 * Runs.MILLI,
                LoadSettings.MAX_OUTSTANDING,
                Runs.SECOND,
                RequestClass.OF_REQUESTS,
                WorkloadSpec.NARROW_MAX_READS),
            look -> {})
        .closed(CLIENTS)
        .run();
  }
}
