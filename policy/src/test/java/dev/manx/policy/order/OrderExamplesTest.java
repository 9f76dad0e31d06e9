/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Cases of orders by arrival and by cost, computed by hand, and the buckets' bounds. */
class OrderExamplesTest {
  @Test
  void fifoCompletesInArrivalOrder() {
    assertThat(completions(new FifoOrder<>(8))).containsExactly(8L, 9L, 13L, 15L);
  }

  @Test
  void bottleneckCompletesShortestFirst() {
    assertThat(completions(new BottleneckOrder<>(8, Long.MAX_VALUE)))
        .containsExactly(1L, 3L, 7L, 15L);
  }

  @Test
  void bucketsKeepTheOrderAndErrByAtMostAQuarter() {
    for (long seed = 0; seed < 10_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long low = random.nextLong() >>> random.nextInt(1, 64);
      long high = random.nextLong(low, Long.MAX_VALUE);
      int bucket = Buckets.of(low);
      assertThat(bucket).as("seed %d", seed).isBetween(0, Buckets.COUNT - 1);
      assertThat(Buckets.of(high)).as("seed %d", seed).isGreaterThanOrEqualTo(bucket);
      if (high - low > low / 4) {
        assertThat(Buckets.of(high)).as("seed %d: %d, %d", seed, low, high).isGreaterThan(bucket);
      }
    }
    assertThat(Buckets.of(Long.MAX_VALUE)).isEqualTo(247);
    assertThat(Buckets.of(-5)).isZero();
  }

  @Test
  void smallWholeNumbersHaveABucketEach() {
    for (int priority = 0; priority < 8; priority++) {
      assertThat(Buckets.of(priority)).isEqualTo(priority);
    }
  }

  @Test
  void readsOfOneRequestAreServedCostliestFirst() {
    BottleneckOrder<TestOp> order = new BottleneckOrder<>(16, Long.MAX_VALUE);
    order.offer(TestOp.of("other", 100, 50, 0));
    order.offer(TestOp.of("a1", 100, 1, 7));
    order.offer(TestOp.of("a4", 100, 4, 7));
    order.offer(TestOp.of("a4later", 100, 4, 7));
    order.offer(TestOp.of("a9", 100, 9, 7));
    order.offer(TestOp.of("b2", 100, 2, 8));
    order.offer(TestOp.of("b5", 100, 5, 8));
    order.offer(TestOp.of("untied1", 100, 1, 0));
    order.offer(TestOp.of("untied9", 100, 9, 0));
    assertThat(OrderContractTest.drain(order, 0))
        .extracting(op -> op.name)
        .containsExactly("other", "a9", "a4", "a4later", "a1", "b5", "b2", "untied1", "untied9");
  }

  @Test
  void theInsertionWalkIsBounded() {
    BottleneckOrder<TestOp> order = new BottleneckOrder<>(1024, Long.MAX_VALUE);
    for (int i = 0; i < Buckets.MAX_WALK + 10; i++) {
      order.offer(TestOp.of("cheap" + i, 1, 1, 7));
    }
    order.offer(TestOp.of("dear", 1, 99, 7));
    List<TestOp> served = OrderContractTest.drain(order, 0);
    assertThat(served.get(10).name).isEqualTo("dear");
  }

  @Test
  void theOldestGoesFirstOnceItHasWaitedAndNotBefore() {
    BottleneckOrder<TestOp> order = new BottleneckOrder<>(16, 100);
    order.offer(new TestOp("large", 1_000, 1));
    TestOp small = new TestOp("small", 1, 1);
    small.arrivalNanos = 50;
    order.offer(small);
    assertThat(order.peek(99).name).isEqualTo("small");
    assertThat(order.poll(100).name).isEqualTo("large");
    assertThat(order.poll(100).name).isEqualTo("small");
  }

  @Test
  void decisionsDoNotDependOnTheUnitOfTime() {
    for (long scale : new long[] {1, 1L << 20}) {
      BottleneckOrder<TestOp> order = new BottleneckOrder<>(16, Long.MAX_VALUE);
      for (long cost : new long[] {8, 1, 4, 2}) {
        order.offer(new TestOp("cost" + cost, cost * scale, cost * scale));
      }
      assertThat(OrderContractTest.drain(order, 0))
          .extracting(op -> op.name)
          .containsExactly("cost1", "cost2", "cost4", "cost8");
    }
  }

  /** One server; all four ops arrive at 0. */
  private static List<Long> completions(Order<TestOp> order) {
    for (long cost : new long[] {8, 1, 4, 2}) {
      order.offer(new TestOp("cost" + cost, cost, cost));
    }
    List<Long> completions = new ArrayList<>();
    long now = 0;
    for (TestOp op = order.poll(now); op != null; op = order.poll(now)) {
      now += op.costNanos;
      completions.add(now);
    }
    return completions;
  }
}
