/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SharedOrderTest {
  private final SharedOrderBench bench = new SharedOrderBench();

  @Test
  void shadowServesByArrivalAndCountsTheOrdersDecisions() {
    SharedOrder<TestOp> shared = bench.shared(new BottleneckOrder<>(16, Long.MAX_VALUE), false);
    SharedOrderBench.offer(shared, 8, 1, 4, 2);
    // Serves 8 1 4 2; the order's choice at each step: 1, 1, 2, 2.
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4", "2");
    assertThat(shared.decisions()).isEqualTo(4);
    assertThat(shared.changed()).isEqualTo(2);
  }

  /** A queue of 32 from which one read leaves whenever one arrives; one in four is wide. */
  @Test
  void anOrderThatLearnsFromServiceLearnsInShadowToo() {
    SharedOrder<TestOp> shared =
        bench.shared(new BoostOrder<>(64, Long.MAX_VALUE, BoostOrder.AUTO, true, 0), false);
    long millis = 0;
    for (int i = 0; i < 4_000; i++) {
      long nanos = i % 4 == 0 ? 16_000_000 : 1_000_000;
      TestOp op = new TestOp(Integer.toString(i), nanos, nanos);
      op.arrivalNanos = ++millis * 1_000_000;
      assertThat(shared.offer(op)).isTrue();
      if (i >= 32) {
        assertThat(shared.poll(op.arrivalNanos).name).isEqualTo(Integer.toString(i - 32));
      }
    }
    assertThat(shared.changed()).as("wide reads would have waited").isGreaterThan(100);
    assertThat(bench.faults).isEmpty();
  }

  @Test
  void actingServesAsTheOrderDecidesAndCountsTheSame() {
    SharedOrder<TestOp> shared = bench.shared(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    SharedOrderBench.offer(shared, 8, 1, 4, 2);
    // The oldest at each step: 8, 8, 8, 8.
    assertThat(SharedOrderBench.drain(shared)).containsExactly("1", "2", "4", "8");
    assertThat(shared.decisions()).isEqualTo(4);
    assertThat(shared.changed()).isEqualTo(3);
  }

  @Test
  void queuedReadsAreServedFirstByArrivalAfterASwap() {
    SharedOrder<TestOp> shared = bench.shared(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    SharedOrderBench.offer(shared, 8, 1);
    shared.swap(new BottleneckOrder<>(16, Long.MAX_VALUE), true);
    SharedOrderBench.offer(shared, 9, 3);
    shared.swap(new BottleneckOrder<>(1, Long.MAX_VALUE), true);
    SharedOrderBench.offer(shared, 5);
    assertThat(shared.size()).isEqualTo(5);
    assertThat(shared.workNanos()).isEqualTo(26);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "9", "3", "5");
    assertThat(shared.drained()).isEqualTo(4);
    assertThat(shared.workNanos()).isZero();
  }

  /** It is shown as a count since the start of the node, and metrics expect that of a counter. */
  @Test
  void cutsAreCountedAcrossSwaps() {
    SharedOrder<TestOp> shared = bench.shared(new BottleneckOrder<>(16, 1), true);
    SharedOrderBench.offer(shared, 8, 1);
    assertThat(shared.poll(10).name).as("the oldest has waited for too long").isEqualTo("8");
    assertThat(shared.cuts()).isEqualTo(1);
    shared.swap(new BottleneckOrder<>(16, 1), true);
    assertThat(shared.cuts()).isEqualTo(1);
    SharedOrderBench.offer(shared, 9);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("1", "9");
    shared.swap(new FifoOrder<>(1), true);
    assertThat(shared.cuts()).as("neither of them was overdue").isEqualTo(1);
  }

  @Test
  void readsOfALongQueueAreCounted() {
    SharedOrder<TestOp> shared =
        bench.shared(new BoostOrder<>(64, Long.MAX_VALUE, BoostOrder.AUTO, true, 8_192), true);
    for (int i = 0; i < 256; i++) {
      SharedOrderBench.offer(shared, i % 100 == 99 ? 100 : 1);
      SharedOrderBench.drain(shared);
    }
    assertThat(shared.servedLong()).isZero();
    for (int i = 0; i < 20; i++) {
      SharedOrderBench.offer(shared, 1);
    }
    assertThat(SharedOrderBench.drain(shared)).hasSize(20);
    assertThat(shared.servedLong()).isEqualTo(20);
  }

  @Test
  void readsOfAnOverloadedQueueAreCountedAcrossSwaps() {
    SharedOrder<TestOp> shared =
        bench.shared(new BoostOrder<>(64, Long.MAX_VALUE, BoostOrder.AUTO, true, 2), true);
    SharedOrderBench.offer(shared, 1, 2, 3, 4, 5);
    assertThat(SharedOrderBench.drain(shared)).hasSize(5);
    assertThat(shared.overloaded()).as("of the third, fourth and fifth").isEqualTo(3);
    shared.swap(new BoostOrder<>(64, Long.MAX_VALUE, BoostOrder.AUTO, true, 2), true);
    SharedOrderBench.offer(shared, 1, 2);
    assertThat(SharedOrderBench.drain(shared)).hasSize(2);
    assertThat(shared.overloaded()).isEqualTo(3);
  }

  @Test
  void aFullOrderRefusesAndTheCallerKeepsTheOp() {
    SharedOrder<TestOp> shared = bench.shared(new FifoOrder<>(1), true);
    SharedOrderBench.offer(shared, 1);
    assertThat(shared.offer(new TestOp("2", 2, 2))).isFalse();
    assertThat(SharedOrderBench.drain(shared)).containsExactly("1");
    assertThat(bench.faults).isEmpty();
  }

  @Test
  void anOrderThatThrowsLosesNothing() {
    SharedOrder<TestOp> shared = bench.shared(new OneFaultOrder(Fault.POLL_THROWS), true);
    SharedOrderBench.offer(shared, 8, 1, 4);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
    assertThat(bench.faults).hasSize(3);
  }

  @Test
  void anOrderThatThrowsInShadowLosesNothing() {
    SharedOrder<TestOp> shared = bench.shared(new OneFaultOrder(Fault.PEEK_THROWS), false);
    SharedOrderBench.offer(shared, 8, 1, 4);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
    assertThat(bench.faults).hasSize(3);
  }

  @Test
  void anOrderThatThrowsOnOfferLeavesTheOpToTheCaller() {
    SharedOrder<TestOp> shared = bench.shared(new OneFaultOrder(Fault.OFFER_THROWS), true);
    assertThat(shared.offer(new TestOp("8", 8, 8))).isFalse();
    assertThat(shared.size()).isZero();
    assertThat(bench.faults).hasSize(1);
  }

  @Test
  void anOrderThatReturnsNothingLosesNothing() {
    SharedOrder<TestOp> shared = bench.shared(new OneFaultOrder(Fault.POLL_IS_NULL), true);
    SharedOrderBench.offer(shared, 8, 1, 4);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
    assertThat(shared.drained()).isEqualTo(3);
  }

  @Test
  void anOrderThatReturnsAnOpTwiceServesItOnce() {
    SharedOrder<TestOp> shared = bench.shared(new OneFaultOrder(Fault.POLL_REPEATS), true);
    SharedOrderBench.offer(shared, 8, 1, 4);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
  }

  @Test
  @Timeout(60)
  void anErrorThrownByTheListenerIsHandledAsUncaughtAndTheOpIsServed() throws Exception {
    SharedOrder<TestOp> shared =
        new SharedOrder<>(
            new OneFaultOrder(Fault.POLL_THROWS),
            true,
            fault -> {
              throw new OutOfMemoryError("test");
            });
    SharedOrderBench.offer(shared, 8);
    List<String> served = new ArrayList<>();
    List<Throwable> uncaught = new ArrayList<>();
    Thread thread = new Thread(() -> served.add(shared.poll(0).name));
    thread.setUncaughtExceptionHandler((where, error) -> uncaught.add(error));
    thread.start();
    thread.join();
    assertThat(served).containsExactly("8");
    assertThat(uncaught).singleElement().isInstanceOf(OutOfMemoryError.class);
    assertThat(shared.size()).isZero();
  }

  @Test
  void anErrorOfTheWatchStrandsNoOp() {
    OrderWatch throwing =
        new OrderWatch() {
          @Override
          public Dispatch before(long nowNanos, int queued) {
            return new Dispatch() {
              @Override
              public long seed() {
                return 1;
              }

              @Override
              public void queued(Op op, long memo) {}

              @Override
              public void chose(int place) {
                throw new NoClassDefFoundError("chose");
              }

              @Override
              public void end() {
                throw new NoClassDefFoundError("end");
              }
            };
          }
        };
    SharedOrder<TestOp> shared =
        new SharedOrder<>(new FifoOrder<>(16), true, throwing, bench.faults::add);
    SharedOrderBench.offer(shared, 8, 1, 4);
    assertThat(SharedOrderBench.drain(shared)).containsExactly("8", "1", "4");
    assertThat(bench.faults).hasSize(3).hasOnlyElementsOfType(NoClassDefFoundError.class);
  }

  @Test
  void everyOpRunsOnceWhileOrdersAreSwapped() throws InterruptedException {
    SharedOrder<TestOp> shared = bench.shared(new FifoOrder<>(100_000), true);
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
                SharedOrderBench.await(start);
                for (int i = 0; i < each; i++) {
                  shared.offer(new TestOp("op", random.nextInt(1_000), 1));
                  // One poll after one offer, as with an executor's ticket.
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
              SharedOrderBench.await(start);
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
    assertThat(bench.faults).isEmpty();
  }

  private enum Fault {
    OFFER_THROWS,
    POLL_THROWS,
    POLL_IS_NULL,
    POLL_REPEATS,
    PEEK_THROWS
  }

  /** First-in first-out, with one fault. */
  private static final class OneFaultOrder extends DelegatingOrder {
    private final Fault fault;
    private TestOp repeated;

    OneFaultOrder(Fault fault) {
      super(new FifoOrder<>(16));
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

    private void fail(Fault at) {
      if (fault == at) {
        throw new IllegalArgumentException(at.name());
      }
    }
  }
}
