/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TicketTableTest {
  private static final int NODES = 5;
  private final Ticket out = new Ticket();

  @Test
  void closingGivesTheTicketBackOnce() {
    TicketTable table = new TicketTable(8, NODES);
    assertThat(table.open(7, 2, 100, 55, 10, 1_000)).isTrue();
    assertThat(table.outstandingReads(2)).isEqualTo(1);
    assertThat(table.outstandingWorkNanos(2)).isEqualTo(100);
    assertThat(table.close(7, 3, out)).as("same id, other node").isFalse();
    assertThat(table.isOpen(7, 3)).as("same id, other node").isFalse();
    assertThat(table.isOpen(7, 2)).isTrue();
    assertThat(table.close(7, 2, out)).isTrue();
    assertThat(table.isOpen(7, 2)).isFalse();
    assertThat(out.messageId).isEqualTo(7);
    assertThat(out.node).isEqualTo(2);
    assertThat(out.costNanos).isEqualTo(100);
    assertThat(out.keyHash).isEqualTo(55);
    assertThat(out.sentNanos).isEqualTo(10);
    assertThat(table.close(7, 2, out)).as("second answer").isFalse();
    assertZero(table, "after close");
  }

  @Test
  void aFullTableRefusesAndCounts() {
    TicketTable table = new TicketTable(3, NODES);
    for (int id = 0; id < 3; id++) {
      assertThat(table.open(id, 0, 1, 0, 0, 1)).isTrue();
    }
    assertThat(table.open(99, 0, 1, 0, 0, 1)).isFalse();
    assertThat(table.overflowed()).isEqualTo(1);
    assertThat(table.open(1, 0, 1, 0, 0, 1)).as("already open").isFalse();
    assertThat(table.open(1, NODES, 1, 0, 0, 1)).as("no such node").isFalse();
    assertThat(table.open(1, -1, 1, 0, 0, 1)).as("no such node").isFalse();
    assertThat(table.overflowed()).isEqualTo(4);
    assertThat(table.outstandingReads(0)).isEqualTo(3);
    assertThat(table.close(99, 0, out)).as("a refused read has no ticket").isFalse();
    for (int id = 0; id < 3; id++) {
      assertThat(table.close(id, 0, out)).isTrue();
    }
    assertZero(table, "after close");
  }

  @Test
  @Timeout(60)
  void aSinkThatBlocksHoldsUpNoOtherSweep() throws InterruptedException {
    TicketTable table = new TicketTable(8, NODES);
    table.open(1, 0, 100, 0, 0, 10);
    table.open(2, 1, 100, 0, 0, 1_000);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread stuck =
        new Thread(
            () ->
                table.expire(
                    10,
                    ticket -> {
                      entered.countDown();
                      awaitQuietly(release);
                    }));
    stuck.start();
    entered.await();
    List<Long> cancelled = new ArrayList<>();
    assertThat(table.closeNode(1, ticket -> cancelled.add(ticket.messageId))).isEqualTo(1);
    assertThat(cancelled).containsExactly(2L);
    release.countDown();
    stuck.join();
    assertZero(table, "after both sweeps");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void expiryClosesOnlyDueTickets() {
    TicketTable table = new TicketTable(4_096, NODES);
    for (int id = 0; id < 3_000; id++) {
      table.open(id, id % NODES, id, 0, 0, id);
    }
    List<Long> expired = new ArrayList<>();
    assertThat(table.expire(999, ticket -> expired.add(ticket.messageId))).isEqualTo(1_000);
    assertThat(expired).hasSize(1_000).doesNotHaveDuplicates().allMatch(id -> id <= 999);
    assertThat(table.expire(999, ticket -> expired.add(ticket.messageId))).isZero();
    assertThat(table.close(5, 0, out)).as("a late answer finds nothing").isFalse();
    assertThat(table.size()).isEqualTo(2_000);
    table.expire(10_000, ticket -> {});
    assertZero(table, "after expiry");
  }

  @Test
  void deathOfANodeClosesItsTicketsOnly() {
    TicketTable table = new TicketTable(4_096, NODES);
    for (int id = 0; id < 3_000; id++) {
      table.open(id, id % NODES, 3, 0, 0, 1);
    }
    AtomicLong work = new AtomicLong();
    assertThat(table.closeNode(2, ticket -> work.addAndGet(ticket.costNanos))).isEqualTo(600);
    assertThat(work.get()).isEqualTo(1_800);
    assertThat(table.outstandingReads(2)).isZero();
    assertThat(table.outstandingWorkNanos(2)).isZero();
    assertThat(table.outstandingReads(1)).isEqualTo(600);
  }

  @Test
  void aSinkMayUseTheTable() {
    TicketTable table = new TicketTable(64, NODES);
    table.open(1, 0, 5, 0, 0, 1);
    table.expire(1, ticket -> table.open(2, 1, 7, 0, 0, 100));
    assertThat(table.outstandingWorkNanos(0)).isZero();
    assertThat(table.outstandingWorkNanos(1)).isEqualTo(7);
  }

  @Test
  void clockMayBeNegativeOrWrap() {
    TicketTable table = new TicketTable(8, NODES);
    table.open(1, 0, 5, 0, Long.MAX_VALUE - 5, Long.MAX_VALUE + 10);
    assertThat(table.expire(Long.MAX_VALUE, t -> {})).isZero();
    assertThat(table.expire(Long.MIN_VALUE + 20, t -> {})).isEqualTo(1);
  }

  @Test
  void randomInterleavingsAgreeWithAMapAndReturnToZero() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TicketTable table = new TicketTable(40, NODES, 1 + random.nextInt(4));
      Map<List<Long>, long[]> open = new HashMap<>();
      long now = 0;
      for (int step = 0; step < 500; step++) {
        now += random.nextInt(4);
        long id = random.nextInt(60);
        int node = random.nextInt(NODES);
        List<Long> key = List.of(id, (long) node);
        switch (random.nextInt(12)) {
          case 0 -> {
            long time = now;
            int due = (int) open.values().stream().filter(t -> t[1] <= time).count();
            assertThat(table.expire(now, t -> removeFrom(open, t)))
                .as("seed %d", seed)
                .isEqualTo(due);
          }
          case 1 -> {
            int due = (int) open.keySet().stream().filter(k -> k.get(1) == node).count();
            assertThat(table.closeNode(node, t -> removeFrom(open, t)))
                .as("seed %d", seed)
                .isEqualTo(due);
          }
          case 2, 3, 4, 5 -> {
            boolean closed = table.close(id, node, out);
            long[] expected = open.remove(key);
            assertThat(closed).as("seed %d", seed).isEqualTo(expected != null);
            if (closed) {
              assertThat(out.costNanos).as("seed %d", seed).isEqualTo(expected[0]);
            }
          }
          default -> {
            long cost = random.nextLong(1_000);
            long expires = now + random.nextInt(60);
            if (table.open(id, node, cost, 0, now, expires)) {
              assertThat(open.put(key, new long[] {cost, expires})).as("seed %d", seed).isNull();
            } else {
              assertThat(open.containsKey(key) || open.size() >= 30).as("seed %d", seed).isTrue();
            }
          }
        }
        assertThat(table.size()).as("seed %d", seed).isEqualTo(open.size());
        long work =
            open.entrySet().stream()
                .filter(e -> e.getKey().get(1) == node)
                .mapToLong(e -> e.getValue()[0])
                .sum();
        assertThat(table.outstandingWorkNanos(node)).as("seed %d", seed).isEqualTo(work);
      }
      table.expire(now + 1_000, t -> removeFrom(open, t));
      assertThat(open).isEmpty();
      assertZero(table, "seed " + seed);
    }
  }

  @Test
  void concurrentEndsOfOneTicketCloseItOnce() throws InterruptedException {
    TicketTable table = new TicketTable(4_096, NODES);
    AtomicLong opened = new AtomicLong();
    AtomicLong closed = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      long seed = t;
      threads.add(
          new Thread(
              () -> {
                SplittableRandom random = new SplittableRandom(seed);
                Ticket mine = new Ticket();
                for (int i = 0; i < 20_000; i++) {
                  long id = random.nextInt(500);
                  int node = random.nextInt(NODES);
                  int action = random.nextInt(100);
                  if (action < 50) {
                    opened.addAndGet(table.open(id, node, id, 0, i, i + 50) ? 1 : 0);
                  } else if (action < 98) {
                    closed.addAndGet(table.close(id, node, mine) ? 1 : 0);
                  } else if (action == 98) {
                    closed.addAndGet(table.expire(i, ticket -> {}));
                  } else {
                    closed.addAndGet(table.closeNode(node, ticket -> {}));
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    closed.addAndGet(table.expire(1_000_000, ticket -> {}));
    assertThat(closed.get()).isEqualTo(opened.get()).isPositive();
    assertZero(table, "after all threads");
  }

  private static void removeFrom(Map<List<Long>, long[]> open, Ticket ticket) {
    assertThat(open.remove(List.of(ticket.messageId, (long) ticket.node))).isNotNull();
  }

  private static void assertZero(TicketTable table, String when) {
    assertThat(table.size()).as(when).isZero();
    for (int node = 0; node < NODES; node++) {
      assertThat(table.outstandingReads(node)).as("%s, node %d", when, node).isZero();
      assertThat(table.outstandingWorkNanos(node)).as("%s, node %d", when, node).isZero();
    }
  }
}
