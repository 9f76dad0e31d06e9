/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The beta that a queue derives from its measurements: an M/M/1 at 80 %, whose reads are whole
 * requests.
 */
@Timeout(60)
class AutoBetaTest {
  private static final double MILLI = 1e6;

  /** 99 % of waits in an M/M/1 at 80 % and 1 ms are below 21.9 ms: ln(80) / (1 - 0.8). */
  private static final double W99 = Math.log(80) / 0.2 * MILLI;

  /** Plays reads of 1 ms on average through a queue in arrival order or in the reverse of it. */
  private static long beta(DoubleSupplier bottleneckNanos, boolean reversed, double scale) {
    return played(bottleneckNanos, reversed, scale).betaNanos();
  }

  private static AutoBeta played(DoubleSupplier bottleneckNanos, boolean reversed, double scale) {
    SplittableRandom random = new SplittableRandom(11);
    AutoBeta auto = new AutoBeta();
    double arrival = 0;
    double free = 0;
    int reads = 400_000;
    // In any order, the k-th read starts when the server is free for the k-th time.
    ArrayDeque<Double> queue = new ArrayDeque<>();
    for (int i = 0; i < reads; i++) {
      arrival += -MILLI / 0.8 * Math.log(1 - random.nextDouble());
      while (!queue.isEmpty() && free <= arrival) {
        free = serve(auto, queue, free, random, reversed, scale);
      }
      double nanos = bottleneckNanos.getAsDouble() * scale;
      auto.arrived(Math.round(arrival * scale), Math.round(nanos), Math.round(nanos));
      queue.add(arrival);
      if (free <= arrival) {
        free = serve(auto, queue, arrival, random, reversed, scale);
      }
    }
    return auto;
  }

  private static double serve(
      AutoBeta auto,
      ArrayDeque<Double> queue,
      double now,
      SplittableRandom random,
      boolean reversed,
      double scale) {
    if (reversed) {
      queue.removeLast();
    } else {
      queue.removeFirst();
    }
    auto.served(Math.round(now * scale));
    return now - MILLI * Math.log(1 - random.nextDouble());
  }

  private static DoubleSupplier lognormal(double sigma) {
    SplittableRandom random = new SplittableRandom(5);
    return () -> MILLI * Math.exp(sigma * random.nextGaussian());
  }

  /**
   * The longest hundredth of lognormal jobs has Phi(sigma - 2.326) of the work: 0.092 of it if
   * sigma is 1, and 0.034 if it is 0.5. 30 * sigma^2 * S^1.5 is 0.84 and 0.047, and 70 * sigma^2 *
   * S of the mean B, 1.65 and 1.13 ms, is less; for 3 it exceeds the most, 8.
   */
  @Test
  void isAMultipleOfTheWaitsThatGrowsWithTheSpreadOfBottlenecks() {
    assertThat((double) beta(lognormal(1), false, 1)).isBetween(0.58 * W99, 1.09 * W99);
    assertThat((double) beta(lognormal(0.5), false, 1)).isBetween(0.033 * W99, 0.067 * W99);
    assertThat((double) beta(lognormal(3), false, 1)).isBetween(6.0 * W99, 10 * W99);
  }

  /**
   * In an M/M/1 at 80 % a read that is polled meets n - 1 others or more with a probability of
   * 0.8^(n - 1), so L99 is 21. S is 0.092 if sigma is 1, and (0.12 / S)^1.5 is 1.49; if all are
   * alike it is 0.01, and 41.6; if sigma is 3, Phi(3 - 2.326) is 0.75, 0.064, and the least number
   * holds.
   */
  @Test
  void aQueueIsLongIfItIsUnusuallyLongAndWideRequestsHaveMuchOfTheWork() {
    assertThat(played(lognormal(1), false, 1).longQueue()).isBetween(26L, 38L);
    assertThat(played(() -> MILLI, false, 1).longQueue()).isBetween(750L, 1_000L);
    assertThat(played(lognormal(3), false, 1).longQueue()).isEqualTo(16);
    assertThat(new AutoBeta().longQueue()).isEqualTo(Long.MAX_VALUE);
  }

  /** As reads of unknown cost are. */
  @Test
  void noQueueIsLongWhoseReadsCostNothing() {
    AutoBeta auto = new AutoBeta();
    for (int i = 0; i < 1_024; i++) {
      auto.arrived(i, 0, 1);
      auto.served(i + 1_000);
    }
    assertThat(auto.longQueue()).isEqualTo(Long.MAX_VALUE);
  }

  /**
   * Two jobs of five take 0.1 ms and the others 0.9 ms: sigma is 1.08, and the longest hundredth
   * has 0.01 * 0.9 / 0.58 of the work, 0.0155; beta is 0.068 of W99. If one of a hundred takes 50 s
   * and the others 1 ms, sigma is 1.08 as well, and almost all of the work is theirs.
   */
  @Test
  void isSmallWhereTheLongestRequestsHaveLittleOfTheWork() {
    SplittableRandom random = new SplittableRandom(5);
    DoubleSupplier close = () -> (random.nextInt(5) < 2 ? 0.1 : 0.9) * MILLI;
    assertThat((double) beta(close, false, 1)).isBetween(0.053 * W99, 0.088 * W99);
    DoubleSupplier far = () -> random.nextInt(100) == 0 ? 50_000 * MILLI : MILLI;
    assertThat((double) beta(far, false, 1)).isGreaterThan(4 * W99);
  }

  /**
   * As above, but ten times as long: 70 * sigma^2 * S * B is 7.3 ms, and 0.068 of W99 only 1.5 ms.
   */
  @Test
  void isNotShortComparedWithTheRequestsThemselves() {
    SplittableRandom random = new SplittableRandom(5);
    DoubleSupplier slow = () -> (random.nextInt(5) < 2 ? 1 : 9) * MILLI;
    assertThat((double) beta(slow, false, 1)).isBetween(6.5 * MILLI, 8.1 * MILLI);
  }

  @Test
  void arrivalOrderCountsAsMuchAsTheFirstReads() {
    AutoBeta few = new AutoBeta();
    AutoBeta many = new AutoBeta();
    for (int i = 0; i < 256; i++) {
      serveAtOnce(few, i);
    }
    for (int i = 0; i < 256 * 64; i++) {
      serveAtOnce(many, i);
    }
    assertThat((double) few.betaNanos() / many.betaNanos()).isBetween(0.48, 0.54);
  }

  /** Reads of 1, 2, 4 to 128 us, which wait for 1 ms. */
  private static void serveAtOnce(AutoBeta auto, int read) {
    long nanos = 1_000L << read % 8;
    auto.arrived(read * 2_000_000L, nanos, nanos);
    auto.served(read * 2_000_000L + 1_000_000);
  }

  @Test
  void isArrivalOrderWhereRequestsAreAlike() {
    assertThat(beta(() -> MILLI, false, 1)).isZero();
  }

  @Test
  void doesNotDependOnTheOrderInWhichReadsAreServed() {
    assertThat(beta(lognormal(1), true, 1)).isEqualTo(beta(lognormal(1), false, 1));
  }

  /** Copies of half of the reads, each of which is dropped 10 ms after its arrival. */
  @Test
  void doesNotDependOnCopiesThatAreDropped() {
    DoubleSupplier bottleneck = lognormal(1);
    SplittableRandom random = new SplittableRandom(11);
    AutoBeta auto = new AutoBeta();
    AutoBeta withCopies = new AutoBeta();
    ArrayDeque<Long> copies = new ArrayDeque<>();
    int waiting = 0;
    double arrival = 0;
    double free = 0;
    for (int i = 0; i < 400_000; i++) {
      arrival += -MILLI / 0.8 * Math.log(1 - random.nextDouble());
      while (waiting > 0 && free <= arrival) {
        drop(withCopies, copies, free);
        waiting--;
        auto.served(Math.round(free));
        withCopies.served(Math.round(free));
        free -= MILLI * Math.log(1 - random.nextDouble());
      }
      drop(withCopies, copies, arrival);
      long now = Math.round(arrival);
      long nanos = Math.round(bottleneck.getAsDouble());
      auto.arrived(now, nanos, nanos);
      withCopies.arrived(now, nanos, nanos);
      if (i % 2 == 0) {
        withCopies.arrived(now, nanos, nanos);
        copies.add(now);
      }
      waiting++;
      free = Math.max(free, arrival);
    }
    assertThat((double) auto.betaNanos()).isBetween(0.58 * W99, 1.09 * W99);
    assertThat((double) withCopies.betaNanos() / auto.betaNanos()).isBetween(0.97, 1.03);
  }

  private static void drop(AutoBeta auto, ArrayDeque<Long> copies, double now) {
    while (!copies.isEmpty() && copies.peek() + 10 * MILLI <= now) {
      auto.dropped(copies.remove());
    }
  }

  /**
   * An M/M/1 at 20 %. 99 % of the waits of all reads are below 3.7 ms, ln(20) / 0.8, and of those
   * of reads that find another one running below 5.8 ms, ln(100) / 0.8.
   */
  @Test
  void doesNotDependOnWhetherReadsThatNeedNotWaitAreQueued() {
    SplittableRandom random = new SplittableRandom(11);
    DoubleSupplier bottleneck = lognormal(1);
    AutoBeta queued = new AutoBeta();
    AutoBeta reported = new AutoBeta();
    AutoBeta silent = new AutoBeta();
    double arrival = 0;
    double free = 0;
    int passed = 0;
    for (int i = 0; i < 400_000; i++) {
      arrival += -MILLI / 0.2 * Math.log(1 - random.nextDouble());
      long now = Math.round(arrival);
      long nanos = Math.round(bottleneck.getAsDouble());
      long start = Math.round(Math.max(arrival, free));
      queued.arrived(now, nanos, nanos);
      queued.served(start);
      if (free <= arrival) {
        passed++;
      } else {
        reported.unqueued(passed);
        passed = 0;
        reported.arrived(now, nanos, nanos);
        reported.served(start);
        silent.arrived(now, nanos, nanos);
        silent.served(start);
      }
      free = Math.max(free, arrival) - MILLI * Math.log(1 - random.nextDouble());
    }
    assertThat((double) reported.betaNanos() / queued.betaNanos()).isBetween(0.95, 1.05);
    assertThat((double) silent.betaNanos() / queued.betaNanos()).isGreaterThan(1.4);
  }

  /** (0.12 / 0.01)^1.5 is 41.6, the requests being alike. */
  @Test
  void aQueueIsLongComparedWithTheQueuesThatAllReadsMeet() {
    AutoBeta auto = new AutoBeta();
    int reads = 131_072;
    for (int i = 0; i < reads; i++) {
      auto.arrived(i, 10, 10);
      if (i >= 100) {
        auto.served(i);
      }
    }
    for (int i = 0; i < 100; i++) {
      auto.served(reads);
    }
    assertThat(auto.longQueue()).isBetween(3_500L, 5_000L);
    auto.unqueued(99L * reads);
    for (int i = 0; i < 1_024; i++) {
      auto.arrived(reads + i, 10, 10);
      auto.served(reads + i);
    }
    assertThat(auto.longQueue()).as("most find a free thread").isBetween(3_500L, 5_000L);
    for (int i = 0; i < 10; i++) {
      auto.unqueued(99L * reads);
    }
    for (int i = 0; i < 1_024; i++) {
      auto.arrived(2 * reads + i, 10, 10);
      auto.served(2 * reads + i);
    }
    assertThat(auto.longQueue()).as("almost all do").isBetween(16L, 100L);
  }

  /** As many as a node serves in days; no number overflows, and the queue is soon measured anew. */
  @Test
  void manyReadsThatNeedNotWaitAreForgottenAsOthersAre() {
    AutoBeta auto = new AutoBeta();
    auto.unqueued(Long.MAX_VALUE);
    auto.unqueued(Long.MAX_VALUE);
    for (int i = 0; i < 256; i++) {
      serveAtOnce(auto, i);
    }
    assertThat(auto.betaNanos()).as("few reads wait").isLessThan(1_000);
    for (int i = 256; i < 8_192; i++) {
      serveAtOnce(auto, i);
    }
    assertThat(auto.betaNanos()).isGreaterThan(100_000);
  }

  @Test
  void doesNotDependOnTheUnitOfTime() {
    double once = beta(lognormal(1), false, 1);
    assertThat((double) beta(lognormal(1), false, 1 << 10) / (1 << 10))
        .isBetween(0.999 * once, 1.001 * once);
  }

  @Test
  void isZeroBeforeEnoughReads() {
    AutoBeta auto = new AutoBeta();
    for (int i = 0; i < 255; i++) {
      auto.arrived(i, 1L << i % 20, 1L << i % 20);
      auto.served(i + 1_000);
    }
    assertThat(auto.betaNanos()).isZero();
    auto.arrived(2_000, 1, 1);
    auto.served(3_000);
    assertThat(auto.betaNanos()).isPositive();
  }
}
