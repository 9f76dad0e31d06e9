/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.ManualClock;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.PolicyReport;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.ShareView;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that moves shares survives any application code that it runs. */
@Timeout(60)
class ControlThreadTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int TICKS = 5;

  private final CountDownLatch ticked = new CountDownLatch(TICKS);
  private final Recorder recorder = new Recorder(1);
  private StatisticsExchange exchange = StatisticsExchange.inProcess();
  private ControlLoop loop;

  @AfterEach
  void close() {
    loop.close();
  }

  private void start(Supplier<PolicyReport> report) {
    SharePolicy policy =
        new SharePolicy() {
          @Override
          public double[] targets(ShareView view) {
            return view.allocated().clone();
          }

          @Override
          public PolicyReport report() {
            ticked.countDown();
            return report.get();
          }
        };
    loop =
        new ControlLoop(
            policy,
            new ControllerSettings(MILLISECOND, MILLISECOND, MILLISECOND, 0, 1),
            1 << 20,
            recorder,
            exchange,
            new ManualClock());
    loop.add(new Share("a", new FakeStore("a", new ArrayList<>()), 0));
    loop.start();
  }

  private boolean ticksOn() throws InterruptedException {
    return ticked.await(20, TimeUnit.SECONDS);
  }

  @Test
  void theThreadTicksAndEnds() throws Exception {
    CountDownLatch thrice = new CountDownLatch(3);
    CountDownLatch closed = new CountDownLatch(1);
    StatisticsExchange counting =
        new StatisticsExchange() {
          @Override
          public Optional<Merged> exchange(long now, WindowStatistics own) {
            thrice.countDown();
            return Optional.empty();
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    ControllerSettings fast =
        new ControllerSettings(
            TimeUnit.MILLISECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(1), 1_000_000_000L, 0, 1);
    loop =
        new ControlLoop(
            CacheStrategy.named("cache.robinhood").newPolicy(),
            fast,
            1 << 20,
            recorder,
            counting,
            System::nanoTime);
    loop.start();
    assertThat(thrice.await(20, TimeUnit.SECONDS)).isTrue();
    loop.close();
    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(loop.awaitEnd(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void aReportThatThrowsIsCountedAndTheNextTickComes() throws Exception {
    start(
        () -> {
          throw new IllegalStateException("asked to fail");
        });
    assertThat(ticksOn()).isTrue();
    assertThat(loop.stats().failures()).isGreaterThanOrEqualTo(TICKS - 1);
    assertThat(loop.stats().ticks()).isGreaterThanOrEqualTo(TICKS - 1);
  }

  @Test
  void anErrorIsCountedAndTheNextTickComes() throws Exception {
    start(
        () -> {
          throw new NoClassDefFoundError("asked to fail");
        });
    assertThat(ticksOn()).isTrue();
    assertThat(loop.stats().failures()).isGreaterThanOrEqualTo(TICKS - 1);
  }

  @Test
  void anInterruptIsNotTheEnd() throws Exception {
    start(
        () -> {
          Thread.currentThread().interrupt();
          return PolicyReport.NONE;
        });
    assertThat(ticksOn()).isTrue();
  }

  @Test
  void anExchangeThatFailsToSayWhyIsNotTheEnd() throws Exception {
    CountDownLatch asked = new CountDownLatch(TICKS);
    exchange =
        new StatisticsExchange() {
          @Override
          public Optional<Merged> exchange(long nowNanos, WindowStatistics own) {
            return Optional.empty();
          }

          @Override
          public String lastFailure() {
            asked.countDown();
            throw new IllegalStateException("asked to fail");
          }
        };
    start(() -> PolicyReport.NONE);
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
