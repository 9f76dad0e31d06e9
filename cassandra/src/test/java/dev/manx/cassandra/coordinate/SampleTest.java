/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests that are followed while all is calm, and those that each of them represents. */
@Timeout(60)
class SampleTest {
  private final ThreadPlan plan = ThreadPlan.current();
  private final AtomicLong now = new AtomicLong(7);

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** The thread's next request is the first after one that was followed. */
  @BeforeEach
  void begin() {
    Sample any = new Sample(1, 0);
    while (!plan.isSampled(any, now::get)) {
      assertThat(plan.isStocks()).isFalse();
    }
  }

  /** Number of a thread's requests until one is followed. */
  private int next(Sample sample, long apartNanos) {
    for (int requests = 1; requests < 100_000; requests++) {
      now.addAndGet(apartNanos);
      if (plan.isSampled(sample, now::get)) {
        return requests;
      }
      assertThat(plan.isStocks()).isFalse();
    }
    throw new AssertionError("none is followed");
  }

  /** The code that plans their reads is fast after some thousand calls, and slow before. */
  @Test
  void untilSomeThousandReadsArePlannedMoreAreFollowedThanLater() {
    Sample sample = new Sample();
    for (int reads = 0; reads < Sample.FIRST_READS; reads += 8) {
      assertThat(next(sample, 1_000_000_000)).isEqualTo(Sample.FIRST);
      assertThat(plan.weight(false)).isEqualTo(Sample.FIRST);
      assertThat(plan.plansSampled(sample, 8)).as("each is planned").isTrue();
      sample.planned(8);
    }
    assertThat(sample.firstLeft()).isZero();
    for (int followed = 0; followed < 100; followed++) {
      assertThat(next(sample, 1_000_000_000)).isEqualTo(Sample.USUAL);
      assertThat(plan.weight(false)).isEqualTo(Sample.USUAL);
    }
  }

  /** A P99 should not be the latency of planned requests. */
  @Test
  void ofThoseFollowedLaterEverySecondIsPlanned() {
    Sample sample = new Sample(0, 0);
    for (int width : new int[] {1, 8, 16}) {
      int requests = 0;
      int planned = 0;
      int stocks = 0;
      for (int followed = 0; followed < 200; followed++) {
        requests += next(sample, 1);
        boolean plans = plan.plansSampled(sample, width);
        planned += plans ? 1 : 0;
        stocks += plan.isStocks() ? 1 : 0;
        assertThat(plans || !plan.isStocks()).as("hops stay known").isTrue();
      }
      assertThat(requests).isEqualTo(12_800);
      assertThat(planned).as("requests of %d keys", width).isEqualTo(100);
      assertThat(stocks).isEqualTo(50);
    }
  }

  @Test
  void readsPlannedWhileReadsWaitEndTheLargerShareToo() {
    Sample sample = new Sample();
    sample.planned(Sample.FIRST_READS - 1);
    assertThat(next(sample, 1_000_000_000)).isEqualTo(Sample.FIRST);
    sample.planned(1_000);
    sample.planned(1_000);
    assertThat(sample.firstLeft()).isZero();
    assertThat(next(sample, 1_000_000_000)).isEqualTo(Sample.USUAL);
  }

  /** At 50,000 requests a second 200 of them are, rather than 780. */
  @Test
  void aBusyNodeFollowsNoneWithinFiveMillisecondsAfterAnother() {
    for (Sample sample : new Sample[] {new Sample(), new Sample(0, 5_000_000)}) {
      next(sample, 20_000);
      long last = now.get();
      for (int followed = 0; followed < 100; followed++) {
        int requests = next(sample, 20_000);
        assertThat(now.get() - last).isBetween(5_000_000L, 6_280_000L);
        assertThat(plan.weight(false)).as("requests that it represents").isEqualTo(requests);
        last = now.get();
      }
    }
  }

  @Test
  void oneThreadsRequestPutsOffAnothers() {
    Sample sample = new Sample(0, 5_000_000);
    assertThat(sample.takes(64, now::get)).isTrue();
    assertThat(sample.takes(64, now::get)).isFalse();
    now.addAndGet(4_999_999);
    assertThat(sample.takes(128, now::get)).isFalse();
    now.addAndGet(1);
    assertThat(sample.takes(191, now::get)).isFalse();
    assertThat(sample.takes(192, now::get)).isTrue();
  }

  /** Of those followed, one in four keeps stock's order; the others represent these too. */
  @Test
  void thoseThatManxActsOnRepresentTheOthers() {
    Sample sample = new Sample(4_000, 0);
    long represented = 0;
    int stocks = 0;
    for (int followed = 0; followed < 4_000; followed++) {
      next(sample, 1);
      stocks += plan.isStocks() ? 1 : 0;
      int weight = plan.isStocks() ? 0 : plan.weight(true);
      assertThat(weight).isIn(plan.isStocks() ? new Integer[] {0} : new Integer[] {21, 22});
      represented += weight;
    }
    assertThat(stocks).isEqualTo(1_000);
    // 64,000 requests; each of 3,000 weights is rounded, with a standard deviation of 0.47.
    assertThat(represented).isBetween(63_850L, 64_150L);
  }
}
