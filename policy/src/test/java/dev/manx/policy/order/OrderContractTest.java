/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promises of every order: of each registered one. A third party extends this class and
 * declares a {@code static Stream<Named<Supplier<Order<TestOp>>>> orders()} with its own.
 */
@Tag("contract")
public class OrderContractTest {
  static Stream<Named<Supplier<Order<TestOp>>>> orders() {
    return Policies.family("order").stream()
        .map(info -> Named.of(info.name(), () -> PolicyMaker.make(info)));
  }

  /**
   * How long the orders may let a read be overtaken, at least 2 ms; here the default of Manx's own.
   */
  protected long maxWaitNanos() {
    return 500_000_000;
  }

  @ParameterizedTest
  @MethodSource("orders")
  void everyOpLeavesExactlyOnceAndSumsReturnToZero(Supplier<Order<TestOp>> orders) {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Order<TestOp> order = orders.get();
      Set<TestOp> queued = new LinkedHashSet<>();
      List<TestOp> out = new ArrayList<>();
      int offered = 0;
      long now = 0;
      for (int step = 0; step < 400; step++) {
        now += random.nextLong(20_000_000);
        int action = random.nextInt(10);
        if (action < 5) {
          TestOp op = randomOp(random, offered++, now);
          assertThat(order.offer(op)).isTrue();
          queued.add(op);
        } else if (action < 9) {
          TestOp seen = order.peek(now);
          TestOp op = order.poll(now);
          assertThat(op).as("peek and poll agree, seed %d", seed).isSameAs(seen);
          assertThat(op == null).as("seed %d", seed).isEqualTo(queued.isEmpty());
          leave(op, queued, out, seed);
        } else if (!queued.isEmpty()) {
          TestOp op = queued.stream().skip(random.nextInt(queued.size())).findFirst().get();
          assertThat(order.remove(op)).isTrue();
          assertThat(order.remove(op)).as("removed once, seed %d", seed).isFalse();
          leave(op, queued, out, seed);
        }
        assertThat(order.size()).as("seed %d", seed).isEqualTo(queued.size());
        assertThat(order.workNanos())
            .as("seed %d", seed)
            .isEqualTo(queued.stream().mapToLong(op -> op.costNanos).sum());
      }
      for (TestOp op = order.poll(now); op != null; op = order.poll(now)) {
        leave(op, queued, out, seed);
      }
      assertThat(queued).as("seed %d", seed).isEmpty();
      assertThat(new HashSet<>(out)).as("seed %d", seed).hasSize(offered);
      assertThat(order.size()).isZero();
      assertThat(order.workNanos()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void equalsAreServedAsTheyArrived(Supplier<Order<TestOp>> orders) {
    Order<TestOp> order = orders.get();
    List<TestOp> offered = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      TestOp op = new TestOp("op" + i, 7_000, 3);
      order.offer(op);
      offered.add(op);
    }
    assertThat(drain(order, 0)).containsExactlyElementsOf(offered);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void noOpWaitsForeverBehindBetterOnes(Supplier<Order<TestOp>> orders) {
    Order<TestOp> order = orders.get();
    TestOp last = new TestOp("large", Long.MAX_VALUE, 1);
    order.offer(last);
    long now = 0;
    TestOp served = null;
    long most = maxWaitNanos();
    while (served != last && now < most) {
      now = Math.min(most, now + Math.max(1, most / 500));
      TestOp better = new TestOp("small", 0, 1);
      better.arrivalNanos = now;
      order.offer(better);
      served = order.poll(now);
    }
    assertThat(served).as("an op that has waited for %d ns", most).isSameAs(last);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void decisionsDoNotDependOnTheUnitOfTimeAndRepeatThemselves(Supplier<Order<TestOp>> orders) {
    for (long seed = 0; seed < 100; seed++) {
      List<String> log = log(orders.get(), seed, 1);
      assertThat(log(orders.get(), seed, 1)).as("again, seed %d", seed).isEqualTo(log);
      // A power of two keeps the place inside an octave, and level-zero is the same for all.
      assertThat(log(orders.get(), seed, 1L << 10)).as("scaled, seed %d", seed).isEqualTo(log);
    }
  }

  /** The ops that an order serves, with all times multiplied; none waits until max-wait. */
  private static List<String> log(Order<TestOp> order, long seed, long scale) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> log = new ArrayList<>();
    for (int step = 0; step < 200; step++) {
      if (random.nextInt(5) < 3) {
        TestOp op = new TestOp("op" + step, random.nextLong(1_000) * scale, 0);
        op.costNanos = random.nextLong(1_000) * scale;
        op.slack = random.nextLong(1_000) * scale;
        op.arrivalNanos = step * 10L * scale;
        op.level = random.nextInt(4);
        order.offer(op);
      } else {
        TestOp op = order.poll(step * 10L * scale);
        log.add(op == null ? "none" : op.name);
      }
    }
    return log;
  }

  @ParameterizedTest
  @MethodSource("orders")
  void aFullOrderRefusesAndKeepsWhatItHas(Supplier<Order<TestOp>> orders) {
    Order<TestOp> order = orders.get();
    for (int i = 0; i < order.capacity(); i++) {
      assertThat(order.offer(new TestOp("op" + i, i, 1))).isTrue();
    }
    TestOp refused = new TestOp("refused", 0, 1);
    assertThat(order.offer(refused)).isFalse();
    assertThat(order.size()).isEqualTo(order.capacity());
    assertThat(order.remove(refused)).isFalse();
    order.poll(0);
    assertThat(order.offer(refused)).as("a refused op may come again").isTrue();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void anOpIsInOneOrderAtATime(Supplier<Order<TestOp>> orders) {
    Order<TestOp> order = orders.get();
    Order<TestOp> other = orders.get();
    TestOp op = new TestOp("op", 1, 1);
    order.offer(op);
    assertThatThrownBy(() -> order.offer(op)).isInstanceOf(IllegalStateException.class);
    assertThat(other.remove(op)).isFalse();
    assertThat(order.size()).isEqualTo(1);
    assertThat(order.poll(0)).isSameAs(op);
    assertThat(other.offer(op)).isTrue();
  }

  static List<TestOp> drain(Order<TestOp> order, long now) {
    List<TestOp> drained = new ArrayList<>();
    for (TestOp op = order.poll(now); op != null; op = order.poll(now)) {
      drained.add(op);
    }
    return drained;
  }

  private static TestOp randomOp(SplittableRandom random, int number, long now) {
    long priority = random.nextLong() >> random.nextInt(64);
    TestOp op = TestOp.of("op" + number, priority, random.nextInt(100), random.nextInt(3));
    op.arrivalNanos = now;
    op.slack = random.nextLong() >> random.nextInt(64);
    op.level = random.nextInt(-1, 12);
    return op;
  }

  private static void leave(TestOp op, Set<TestOp> queued, List<TestOp> out, long seed) {
    if (op != null) {
      assertThat(queued.remove(op)).as("op was queued, seed %d", seed).isTrue();
      out.add(op);
    }
  }
}
