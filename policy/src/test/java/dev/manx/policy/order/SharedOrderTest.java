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
  private final List<Throwable> faults = new ArrayList<>();

  @Test
  void shadowServesByArrivalAndCountsWhatTheOrderWouldHaveDone() {
    SharedOrder<TestOp> shared = shared(new BottleneckOrder<>(16, Long.MAX_VALUE), false);
    offer(shared, 8, 1, 4, 2);
    // Serves 8 1 4 2; wanted at each step: 1, 1, 2, 2.
    assertThat(drain(shared)).containsExactly("8", "1", "4", "2");
    assertThat(shared.decisions()).isEqualTo(4);
    assertThat(shared.changed()).isEqualTo(2);
  }

  @Test
  void actingServesAsTheOrderDecidesAndCountsTheSame() {
    SharedOrder<TestOp> shared = shared(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    offer(shared, 8, 1, 4, 2);
    // The oldest at each step: 8, 8, 8, 8.
    assertThat(drain(shared)).containsExactly("1", "2", "4", "8");
    assertThat(shared.decisions()).isEqualTo(4);
    assertThat(shared.changed()).isEqualTo(3);
  }

  @Test
  void whatIsQueuedAtASwapIsServedFirstByArrival() {
    SharedOrder<TestOp> shared = shared(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    offer(shared, 8, 1);
    shared.swap(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    offer(shared, 9, 3);
    shared.swap(new BottleneckOrder<>(1, Long.MAX_VALUE), true);
    offer(shared, 5);
    assertThat(shared.size()).isEqualTo(5);
    assertThat(shared.workNanos()).isEqualTo(26);
    assertThat(drain(shared)).containsExactly("8", "1", "9", "3", "5");
    assertThat(shared.drained()).isEqualTo(4);
    assertThat(shared.workNanos()).isZero();
  }

  @Test
  void aFullOrderRefusesAndTheCallerKeepsTheOp() {
    SharedOrder<TestOp> shared = shared(new FifoOrder<>(1), true);
    offer(shared, 1);
    assertThat(shared.offer(new TestOp("2", 2, 2))).isFalse();
    assertThat(drain(shared)).containsExactly("1");
    assertThat(faults).isEmpty();
  }

  @Test
  void anOrderThatThrowsLosesNothing() {
    SharedOrder<TestOp> shared = shared(new FaultyOrder(Fault.POLL_THROWS), true);
    offer(shared, 8, 1, 4);
    assertThat(drain(shared)).containsExactly("8", "1", "4");
    assertThat(faults).hasSize(3);
  }

  @Test
  void anOrderThatThrowsInShadowLosesNothing() {
    SharedOrder<TestOp> shared = shared(new FaultyOrder(Fault.PEEK_THROWS), false);
    offer(shared, 8, 1, 4);
    assertThat(drain(shared)).containsExactly("8", "1", "4");
    assertThat(faults).hasSize(3);
  }

  @Test
  void anOrderThatThrowsOnOfferLeavesTheOpToTheCaller() {
    SharedOrder<TestOp> shared = shared(new FaultyOrder(Fault.OFFER_THROWS), true);
    assertThat(shared.offer(new TestOp("8", 8, 8))).isFalse();
    assertThat(shared.size()).isZero();
    assertThat(faults).hasSize(1);
  }

  @Test
  void anOrderThatGivesNothingBackLosesNothing() {
    SharedOrder<TestOp> shared = shared(new FaultyOrder(Fault.POLL_IS_NULL), true);
    offer(shared, 8, 1, 4);
    assertThat(drain(shared)).containsExactly("8", "1", "4");
    assertThat(shared.drained()).isEqualTo(3);
  }

  @Test
  void anOrderThatGivesAnOpTwiceServesItOnce() {
    SharedOrder<TestOp> shared = shared(new FaultyOrder(Fault.POLL_REPEATS), true);
    offer(shared, 8, 1, 4);
    assertThat(drain(shared)).containsExactly("8", "1", "4");
  }

  @Test
  void anErrorThatTheListenerThrowsOnStillReleasesTheLock() {
    SharedOrder<TestOp> shared =
        new SharedOrder<>(
            new FaultyOrder(Fault.POLL_THROWS),
            true,
            fault -> {
              throw new OutOfMemoryError("test");
            });
    offer(shared, 8);
    assertThatThrownBy(() -> shared.poll(0)).isInstanceOf(OutOfMemoryError.class);
    assertThat(shared.size()).isEqualTo(1);
  }

  @Test
  void everyOpRunsOnceWhileOrdersAreSwapped() throws InterruptedException {
    SharedOrder<TestOp> shared = shared(new FifoOrder<>(100_000), true);
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
    workers.add(
        new Thread(
            () -> {
              awaitStart(start);
              for (int i = 0; i < 500; i++) {
                boolean acting = i % 3 != 0;
                shared.swap(
                    i % 2 == 0 ? new BottleneckOrder<>(100_000, 1_000) : new FifoOrder<>(100_000),
                    acting);
              }
            }));
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
    assertThat(faults).isEmpty();
  }

  private SharedOrder<TestOp> shared(Order<TestOp> order, boolean acting) {
    return new SharedOrder<>(order, acting, faults::add);
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

  private enum Fault {
    OFFER_THROWS,
    POLL_THROWS,
    POLL_IS_NULL,
    POLL_REPEATS,
    PEEK_THROWS
  }

  /** First-in first-out, with one fault. */
  private static final class FaultyOrder implements Order<TestOp> {
    private final FifoOrder<TestOp> inside = new FifoOrder<>(16);
    private final Fault fault;
    private TestOp repeated;

    FaultyOrder(Fault fault) {
      this.fault = fault;
    }

    @Override
    public boolean offer(TestOp op) {
      fail(Fault.OFFER_THROWS);
      return inside.offer(op);
    }

    @Override
    public TestOp poll(long nowNanos) {
      fail(Fault.POLL_THROWS);
      if (fault == Fault.POLL_IS_NULL) {
        return null;
      }
      if (fault == Fault.POLL_REPEATS && repeated != null) {
        return repeated;
      }
      repeated = inside.poll(nowNanos);
      return repeated;
    }

    @Override
    public TestOp peek(long nowNanos) {
      fail(Fault.PEEK_THROWS);
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

    private void fail(Fault at) {
      if (fault == at) {
        throw new IllegalArgumentException(at.name());
      }
    }
  }
}
