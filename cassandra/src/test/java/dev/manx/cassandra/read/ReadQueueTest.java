/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.policy.order.BottleneckOrder;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Order;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadQueueTest {
  private final Engine engine = TestEngines.of("strategy: {}", () -> 0);
  private final ReadQueue queue =
      new ReadQueue(
          new BottleneckOrder<>(10_000, Long.MAX_VALUE),
          true,
          null,
          fault -> {
            throw new IllegalStateException(fault);
          });

  private QueuedRead ranked(long priority) {
    QueuedRead read = new QueuedRead(engine, null, null);
    read.priority = priority;
    return read;
  }

  private QueuedRead inTurn() {
    QueuedRead read = ranked(1);
    read.waitsInTurn();
    return read;
  }

  @Test
  void aReadWithoutARankKeepsItsPlaceAndTheOthersChangeTheirs() {
    QueuedRead wide = ranked(100);
    QueuedRead first = inTurn();
    QueuedRead narrow = ranked(1);
    QueuedRead second = inTurn();
    QueuedRead middle = ranked(10);
    for (QueuedRead read : List.of(wide, first, narrow, second, middle)) {
      assertThat(queue.offer(read)).isTrue();
    }
    assertThat(queue.size()).isEqualTo(5);
    List<QueuedRead> served = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      served.add(queue.poll(0));
    }
    assertThat(served).containsExactly(narrow, first, middle, second, wide);
    assertThat(queue.poll(0)).isNull();
    assertThat(queue.size()).isZero();
  }

  private QueuedRead of(long requestId, long priority) {
    QueuedRead read = ranked(priority);
    read.requestId = requestId;
    read.enqueued(0);
    return read;
  }

  private QueuedRead inRound() {
    QueuedRead read = ranked(1);
    read.waitsInRound();
    return read;
  }

  @Test
  void aReadWithoutARankWaitsForOneReadOfEachRequest() {
    List<QueuedRead> ranked = List.of(of(7, 1), of(7, 2), of(7, 3), of(8, 4), of(8, 5));
    QueuedRead scan = inTurn();
    QueuedRead first = inRound();
    QueuedRead second = inRound();
    ranked.forEach(queue::offer);
    List.of(scan, first, second).forEach(queue::offer);
    List<QueuedRead> served = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      served.add(queue.poll(0));
    }
    assertThat(served)
        .containsExactly(
            ranked.get(0),
            ranked.get(1),
            ranked.get(2),
            first,
            ranked.get(3),
            scan,
            second,
            ranked.get(4));
    // Requests whose reads are gone no longer count.
    List<QueuedRead> next = List.of(of(9, 1), of(9, 2));
    QueuedRead last = inRound();
    next.forEach(queue::offer);
    queue.offer(last);
    assertThat(List.of(queue.poll(0), queue.poll(0), queue.poll(0)))
        .containsExactly(next.get(0), last, next.get(1));
  }

  @Test
  void itOvertakesAtMost26Reads() {
    for (int read = 0; read < 100; read++) {
      queue.offer(of(7, 1));
    }
    QueuedRead first = inRound();
    queue.offer(first);
    for (int read = 0; read < 74; read++) {
      assertThat(queue.poll(0)).isNotSameAs(first);
    }
    assertThat(queue.poll(0)).isSameAs(first);
  }

  @Test
  void readsOfUnknownRequestsCountAsOneRequestEach() {
    List<QueuedRead> ranked = List.of(of(0, 1), of(0, 2), of(0, 3));
    QueuedRead first = inRound();
    ranked.forEach(queue::offer);
    queue.offer(first);
    assertThat(List.of(queue.poll(0), queue.poll(0), queue.poll(0), queue.poll(0)))
        .containsExactly(ranked.get(0), ranked.get(1), ranked.get(2), first);
  }

  @Test
  void readsWithoutARankAloneAreServedInArrivalOrder() {
    List<QueuedRead> reads = List.of(inTurn(), inTurn(), inTurn());
    reads.forEach(queue::offer);
    assertThat(List.of(queue.poll(0), queue.poll(0), queue.poll(0))).isEqualTo(reads);
  }

  /** A thread that has taken the last read may report an order's fault before it returns. */
  @Test
  @Timeout(60)
  void aPollDoesNotWaitForAThreadThatHasTakenTheLastRead() throws Exception {
    CountDownLatch reporting = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Order<QueuedRead> fifo = new FifoOrder<>(10);
    @SuppressWarnings("unchecked")
    Order<QueuedRead> nasty =
        (Order<QueuedRead>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Order.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("poll")) {
                    throw new IllegalStateException("nasty");
                  }
                  return method.invoke(fifo, arguments);
                });
    ReadQueue own =
        new ReadQueue(
            nasty,
            true,
            null,
            fault -> {
              reporting.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    QueuedRead last = ranked(1);
    own.offer(last);
    CompletableFuture<QueuedRead> taken = CompletableFuture.supplyAsync(() -> own.poll(0));
    reporting.await();
    CompletableFuture<QueuedRead> spare = CompletableFuture.supplyAsync(() -> own.poll(0));
    try {
      assertThat(spare.get(20, TimeUnit.SECONDS)).isNull();
    } finally {
      goOn.countDown();
    }
    assertThat(taken.get()).isSameAs(last);
    assertThat(own.size()).isZero();
  }

  @Test
  @Timeout(60)
  void everyPollAfterAnOfferFindsAReadAndEachIsServedOnce() throws InterruptedException {
    int each = 20_000;
    Set<QueuedRead> served = ConcurrentHashMap.newKeySet();
    AtomicInteger empty = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(t);
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  queue.offer(
                      switch (random.nextInt(3)) {
                        case 0 -> inTurn();
                        case 1 -> inRound();
                        default -> of(random.nextInt(3), random.nextInt(1, 1_000));
                      });
                  QueuedRead read = queue.poll(0);
                  if (read == null) {
                    empty.incrementAndGet();
                  } else {
                    served.add(read);
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(empty.get()).isZero();
    assertThat(served).hasSize(4 * each);
    assertThat(queue.size()).isZero();
    assertThat(queue.requests()).isZero();
  }

  @Test
  void takesNoMoreReadsWithoutARankThanItsBound() {
    for (int i = 0; i < ReadQueue.MOST_IN_TURN; i++) {
      assertThat(queue.offer(i % 2 == 0 ? inTurn() : inRound())).isTrue();
    }
    assertThat(queue.offer(inTurn())).isFalse();
    assertThat(queue.offer(inRound())).isFalse();
    assertThat(queue.size()).isEqualTo(ReadQueue.MOST_IN_TURN);
    assertThat(queue.offer(ranked(1))).as("ranked reads have a separate bound").isTrue();
    for (int i = 0; i <= ReadQueue.MOST_IN_TURN; i++) {
      assertThat(queue.poll(0)).isNotNull();
    }
    assertThat(queue.poll(0)).isNull();
    assertThat(queue.offer(inTurn())).as("there is room again").isTrue();
  }
}
