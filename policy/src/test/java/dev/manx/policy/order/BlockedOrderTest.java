/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shared order whose policy does not return is given up, and blocks nothing else. */
@Timeout(60)
class BlockedOrderTest {
  private final SharedOrderBench bench = new SharedOrderBench();

  @Test
  void anOrderThatBlocksHoldsUpNeitherSwapsNorCountsNorReads() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared = bench.shared(blocking, true);
    SharedOrderBench.offer(shared, 8, 1, 4);
    ConcurrentLinkedQueue<String> late = new ConcurrentLinkedQueue<>();
    Thread stuck = new Thread(() -> late.add(shared.poll(0).name));
    stuck.start();
    blocking.entered.await();
    assertThat(shared.size()).isEqualTo(3);
    assertThat(shared.decisions()).isZero();
    shared.swap(new FifoOrder<>(16), true);
    SharedOrderBench.offer(shared, 2);
    // One op is left to the poll under way, which finds it when the order returns.
    assertThat(shared.poll(0).name).isEqualTo("8");
    assertThat(shared.poll(0).name).isEqualTo("1");
    assertThat(shared.poll(0).name).isEqualTo("4");
    blocking.release.countDown();
    stuck.join();
    assertThat(late).containsExactly("2");
    assertThat(shared.size()).isZero();
    assertThat(bench.faults).isEmpty();
  }

  @Test
  void anOrderThatBlocksIsGivenUpByThoseWhoWaitForIt() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared =
        new SharedOrder<>(
            blocking, true, null, bench.faults::add, TimeUnit.MILLISECONDS.toNanos(20));
    SharedOrderBench.offer(shared, 8, 1, 4);
    Thread stuck = new Thread(() -> shared.poll(0));
    stuck.start();
    blocking.entered.await();
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
    assertThat(bench.faults).singleElement().isInstanceOf(StuckOrderException.class);
    assertThat(shared.offer(new TestOp("9", 9, 9))).as("refused until the next swap").isFalse();
    shared.swap(new FifoOrder<>(16), true);
    SharedOrderBench.offer(shared, 5);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("5");
    blocking.release.countDown();
    stuck.join();
    assertThat(shared.size()).isZero();
    assertThat(shared.workNanos()).isZero();
  }

  @Test
  void anOrderThatBlocksIsGivenUpThoughNoOtherThreadWaitsForIt() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared = bench.shared(blocking, true);
    SharedOrderBench.offer(shared, 8, 1);
    shared.look();
    shared.look();
    Thread stuck = new Thread(() -> shared.poll(0));
    stuck.start();
    blocking.entered.await();
    shared.look();
    shared.look();
    assertThat(bench.faults).as("two looks may fall into one pause").isEmpty();
    shared.look();
    assertThat(bench.faults).singleElement().isInstanceOf(StuckOrderException.class);
    shared.look();
    assertThat(bench.faults).hasSize(1);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1");
    blocking.release.countDown();
    stuck.join();
    assertThat(shared.size()).isZero();
  }

  @Test
  void anOrderThatBlocksInLimitWaitHoldsUpNoThreadThatSetsALimit() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    SharedOrder<TestOp> shared =
        bench.shared(
            new DelegatingOrder(new FifoOrder<>(16)) {
              @Override
              public void limitWait(long nanos) {
                entered.countDown();
                SharedOrderBench.await(release);
              }
            },
            true);
    SharedOrderBench.offer(shared, 8, 1);
    shared.limitWait(5);
    Thread stuck = new Thread(() -> shared.poll(0));
    stuck.start();
    entered.await();
    shared.limitWait(6);
    for (int look = 0; look < 3; look++) {
      shared.look();
    }
    assertThat(bench.faults).singleElement().isInstanceOf(StuckOrderException.class);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1");
    release.countDown();
    stuck.join();
    assertThat(shared.size()).isZero();
  }

  @Test
  void aChangedLimitIsGivenToTheOrderOnceBeforeItsNextDecision() {
    List<Long> limits = new ArrayList<>();
    SharedOrder<TestOp> shared =
        bench.shared(
            new DelegatingOrder(new FifoOrder<>(16)) {
              @Override
              public void limitWait(long nanos) {
                limits.add(nanos);
              }
            },
            true);
    SharedOrderBench.offer(shared, 8, 1, 4);
    shared.limitWait(5);
    shared.limitWait(6);
    assertThat(limits).as("no decision yet").isEmpty();
    shared.poll(0);
    shared.poll(0);
    assertThat(limits).containsExactly(6L);
    shared.limitWait(5);
    shared.poll(0);
    assertThat(limits).containsExactly(6L, 5L);
  }

  @Test
  void anOrderThatReturnsIsNotGivenUpHoweverOftenOneLooks() {
    SharedOrder<TestOp> shared = bench.shared(new FifoOrder<>(16), true);
    for (int i = 0; i < 9; i++) {
      SharedOrderBench.offer(shared, i);
      shared.look();
    }
    assertThat(SharedOrderBench.drain(shared)).hasSize(9);
    assertThat(bench.faults).isEmpty();
  }

  @Test
  void anOrderThatIsOnlyBusyIsNotGivenUp() throws Exception {
    FifoOrder<TestOp> inside = new FifoOrder<>(16);
    CountDownLatch entered = new CountDownLatch(1);
    SharedOrder<TestOp> shared =
        new SharedOrder<>(inside, true, null, bench.faults::add, TimeUnit.MINUTES.toNanos(1));
    SharedOrderBench.offer(shared, 8, 1);
    Thread other =
        new Thread(
            () -> {
              entered.countDown();
              shared.poll(0);
            });
    other.start();
    entered.await();
    assertThat(shared.poll(0)).isNotNull();
    other.join();
    assertThat(bench.faults).isEmpty();
  }

  /** First-in first-out, whose first poll waits until it is released. */
  private static final class BlockingOrder extends DelegatingOrder {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    BlockingOrder() {
      super(new FifoOrder<>(16));
    }

    @Override
    public TestOp poll(long nowNanos) {
      entered.countDown();
      SharedOrderBench.await(release);
      return inside.poll(nowNanos);
    }
  }
}
