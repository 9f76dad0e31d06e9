/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedOrderTest {
  @Test
  void swapMovesWhatIsQueuedInArrivalOrder() {
    SharedOrder<TestOp> shared = new SharedOrder<>(new BottleneckOrder<>(16, Long.MAX_VALUE));
    offer(shared, 8, 1, 4, 2);
    shared.swap(new FifoOrder<>(16));
    assertThat(shared.size()).isEqualTo(4);
    assertThat(shared.workNanos()).isEqualTo(15);
    assertThat(drain(shared)).containsExactly("8", "1", "4", "2");
    assertThat(shared.workNanos()).isZero();
  }

  @Test
  void swapIntoASmallerOrderLosesNothing() {
    SharedOrder<TestOp> shared = new SharedOrder<>(new FifoOrder<>(16));
    offer(shared, 8, 1, 4, 2);
    shared.swap(new BottleneckOrder<>(2, Long.MAX_VALUE));
    assertThat(shared.size()).isEqualTo(4);
    assertThat(drain(shared)).as("leftover first").containsExactly("4", "2", "1", "8");
    offer(shared, 5, 3);
    shared.swap(new FifoOrder<>(1));
    shared.swap(new FifoOrder<>(2));
    assertThat(drain(shared)).as("arrival order again").containsExactly("5", "3");
  }

  @Test
  void swapOutOfShadowCountsNothingAndLeavesNothingBehind() {
    ShadowOrder<TestOp> shadow =
        new ShadowOrder<>(new FifoOrder<>(16), new BottleneckOrder<>(2, Long.MAX_VALUE));
    SharedOrder<TestOp> shared = new SharedOrder<>(shadow);
    offer(shared, 8, 1, 4, 2);
    shared.swap(new FifoOrder<>(16));
    assertThat(shadow.decisions()).isZero();
    assertThat(shadow.size()).isZero();
    assertThat(drain(shared)).containsExactly("8", "1", "4", "2");
  }

  @Test
  void aFaultyNextOrderLosesNothing() {
    SharedOrder<TestOp> shared = new SharedOrder<>(new FifoOrder<>(16));
    offer(shared, 8, 1, 4, 2);
    Order<TestOp> faulty = new FaultyOrder();
    assertThatThrownBy(() -> shared.swap(faulty)).hasMessage("third offer");
    assertThat(drain(shared)).containsExactlyInAnyOrder("8", "1", "4", "2");
  }

  @Test
  void everyOpRunsOnceWhileOrdersAreSwapped() throws InterruptedException {
    SharedOrder<TestOp> shared = new SharedOrder<>(new FifoOrder<>(100_000));
    int threads = 3;
    int each = 4_000;
    ConcurrentLinkedQueue<TestOp> served = new ConcurrentLinkedQueue<>();
    AtomicInteger empty = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> workers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      SplittableRandom random = new SplittableRandom(t);
      workers.add(
          new Thread(
              () -> {
                awaitStart(start);
                for (int i = 0; i < each; i++) {
                  shared.offer(new TestOp("op", random.nextInt(1_000), 1));
                  // One poll after one offer, as an executor's ticket does.
                  TestOp op = shared.poll(0);
                  if (op == null) {
                    empty.incrementAndGet();
                  } else {
                    served.add(op);
                  }
                }
              }));
    }
    Thread swapper =
        new Thread(
            () -> {
              awaitStart(start);
              for (int i = 0; i < 500; i++) {
                shared.swap(
                    i % 2 == 0 ? new BottleneckOrder<>(100_000, 1_000) : new FifoOrder<>(100_000));
              }
              shared.swap(new FifoOrder<>(100_000));
            });
    workers.add(swapper);
    workers.forEach(Thread::start);
    start.countDown();
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(empty.get()).as("polls that found nothing").isZero();
    Set<TestOp> once = new HashSet<>(served);
    assertThat(once).as("served once each").hasSize(served.size());
    assertThat(served).hasSize(threads * each);
    assertThat(shared.size()).isZero();
    assertThat(shared.workNanos()).isZero();
  }

  private static void awaitStart(CountDownLatch start) {
    try {
      start.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void offer(SharedOrder<TestOp> shared, long... costs) {
    for (long cost : costs) {
      assertThat(shared.offer(new TestOp(Long.toString(cost), cost, cost))).isTrue();
    }
  }

  private static List<String> drain(SharedOrder<TestOp> shared) {
    List<String> names = new ArrayList<>();
    for (TestOp op = shared.poll(0); op != null; op = shared.poll(0)) {
      names.add(op.name);
    }
    return names;
  }

  /** First-in first-out, but its third offer throws. */
  private static final class FaultyOrder implements Order<TestOp> {
    private final FifoOrder<TestOp> inside = new FifoOrder<>(16);
    private int offers;

    @Override
    public boolean offer(TestOp op) {
      if (++offers == 3) {
        throw new IllegalArgumentException("third offer");
      }
      return inside.offer(op);
    }

    @Override
    public TestOp poll(long nowNanos) {
      return inside.poll(nowNanos);
    }

    @Override
    public TestOp peek(long nowNanos) {
      return inside.peek(nowNanos);
    }

    @Override
    public boolean remove(TestOp op) {
      return inside.remove(op);
    }

    @Override
    public int size() {
      return inside.size();
    }

    @Override
    public long workNanos() {
      return inside.workNanos();
    }

    @Override
    public int capacity() {
      return inside.capacity();
    }
  }
}
