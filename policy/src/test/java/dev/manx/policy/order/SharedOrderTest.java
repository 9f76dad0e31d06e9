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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
  void queuedReadsAreServedFirstByArrivalAfterASwap() {
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
  @Timeout(60)
  void anErrorThatTheListenerThrowsOnGoesWhereUncaughtOnesGoAndTheOpIsServed() throws Exception {
    SharedOrder<TestOp> shared =
        new SharedOrder<>(
            new FaultyOrder(Fault.POLL_THROWS),
            true,
            fault -> {
              throw new OutOfMemoryError("test");
            });
    offer(shared, 8);
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
        new SharedOrder<>(new FifoOrder<>(16), true, throwing, faults::add);
    offer(shared, 8, 1, 4);
    assertThat(drain(shared)).containsExactly("8", "1", "4");
    assertThat(faults).hasSize(3).hasOnlyElementsOfType(NoClassDefFoundError.class);
  }

  @Test
  @Timeout(60)
  void anOrderThatBlocksHoldsUpNeitherSwapsNorCountsNorReads() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared = shared(blocking, true);
    offer(shared, 8, 1, 4);
    ConcurrentLinkedQueue<String> late = new ConcurrentLinkedQueue<>();
    Thread stuck = new Thread(() -> late.add(shared.poll(0).name));
    stuck.start();
    blocking.entered.await();
    assertThat(shared.size()).isEqualTo(3);
    assertThat(shared.decisions()).isZero();
    shared.swap(new FifoOrder<>(16), true);
    offer(shared, 2);
    // One op is left to the poll under way, which finds it when the order lets go.
    assertThat(shared.poll(0).name).isEqualTo("8");
    assertThat(shared.poll(0).name).isEqualTo("1");
    assertThat(shared.poll(0).name).isEqualTo("4");
    blocking.release.countDown();
    stuck.join();
    assertThat(late).containsExactly("2");
    assertThat(shared.size()).isZero();
    assertThat(faults).isEmpty();
  }

  @Test
  @Timeout(60)
  void anOrderThatBlocksIsGivenUpByThoseWhoWaitForIt() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared =
        new SharedOrder<>(blocking, true, null, faults::add, TimeUnit.MILLISECONDS.toNanos(20));
    offer(shared, 8, 1, 4);
    Thread stuck = new Thread(() -> shared.poll(0));
    stuck.start();
    blocking.entered.await();
    assertThat(drain(shared)).containsExactly("8", "1", "4");
    assertThat(faults).singleElement().isInstanceOf(StuckOrderException.class);
    assertThat(shared.offer(new TestOp("9", 9, 9))).as("refused until the next swap").isFalse();
    shared.swap(new FifoOrder<>(16), true);
    offer(shared, 5);
    assertThat(drain(shared)).containsExactly("5");
    blocking.release.countDown();
    stuck.join();
    assertThat(shared.size()).isZero();
    assertThat(shared.workNanos()).isZero();
  }

  @Test
  @Timeout(60)
  void anOrderThatBlocksIsGivenUpThoughNoOtherThreadWaitsForIt() throws Exception {
    BlockingOrder blocking = new BlockingOrder();
    SharedOrder<TestOp> shared = shared(blocking, true);
    offer(shared, 8, 1);
    shared.look();
    shared.look();
    Thread stuck = new Thread(() -> shared.poll(0));
    stuck.start();
    blocking.entered.await();
    shared.look();
    shared.look();
    assertThat(faults).as("two looks may fall into one pause").isEmpty();
    shared.look();
    assertThat(faults).singleElement().isInstanceOf(StuckOrderException.class);
    shared.look();
    assertThat(faults).hasSize(1);
    assertThat(drain(shared)).containsExactly("8", "1");
    blocking.release.countDown();
    stuck.join();
    assertThat(shared.size()).isZero();
  }

  @Test
  void anOrderThatReturnsIsNotGivenUpHoweverOftenOneLooks() {
    SharedOrder<TestOp> shared = shared(new FifoOrder<>(16), true);
    for (int i = 0; i < 9; i++) {
      offer(shared, i);
      shared.look();
    }
    assertThat(drain(shared)).hasSize(9);
    assertThat(faults).isEmpty();
  }

  @Test
  @Timeout(60)
  void anOrderThatIsOnlyBusyIsNotGivenUp() throws Exception {
    FifoOrder<TestOp> inside = new FifoOrder<>(16);
    CountDownLatch entered = new CountDownLatch(1);
    SharedOrder<TestOp> shared =
        new SharedOrder<>(inside, true, null, faults::add, TimeUnit.MINUTES.toNanos(1));
    offer(shared, 8, 1);
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
    assertThat(faults).isEmpty();
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
    // On a machine that is busy enough, a thread may stand still for longer than the usual bound.
    return new SharedOrder<>(order, acting, null, faults::add, TimeUnit.MINUTES.toNanos(1));
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

  /** First-in first-out, whose first poll waits until it is released. */
  private static final class BlockingOrder implements Order<TestOp> {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    private final FifoOrder<TestOp> inside = new FifoOrder<>(16);

    @Override
    public boolean offer(TestOp op) {
      return inside.offer(op);
    }

    @Override
    public TestOp poll(long nowNanos) {
      entered.countDown();
      awaitStart(release);
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
