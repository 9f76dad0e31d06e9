/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.order.LevelledOrder.Levels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A watch sees the queue and the choice, and cannot do any harm. */
class OrderWatchTest {
  private final List<String> seen = new ArrayList<>();
  private final List<Throwable> faults = new ArrayList<>();

  private final class Watch implements OrderWatch, OrderWatch.Dispatch {
    private final String failsAt;

    Watch(String failsAt) {
      this.failsAt = failsAt;
    }

    private void at(String what) {
      seen.add(what);
      if (what.startsWith(failsAt)) {
        throw new IllegalStateException(what);
      }
    }

    @Override
    public Dispatch before(long nowNanos, int queued) {
      at("before " + queued);
      return this;
    }

    @Override
    public long seed() {
      return 1;
    }

    @Override
    public void queued(Op op, long memo) {
      at("queued " + op);
    }

    @Override
    public void chose(int place) {
      at("chose " + place);
    }

    @Override
    public void end() {
      at("end");
    }
  }

  private SharedOrder<TestOp> queue(boolean acting, String failsAt) {
    SharedOrder<TestOp> queue =
        new SharedOrder<>(
            new BottleneckOrder<>(9, Long.MAX_VALUE), acting, new Watch(failsAt), faults::add);
    queue.offer(new TestOp("large", 5_000, 1));
    queue.offer(new TestOp("small", 5, 1));
    return queue;
  }

  @Test
  void itSeesTheQueueByArrivalAndThePlaceChosen() {
    SharedOrder<TestOp> queue = queue(true, "nothing");
    assertThat(queue.poll(1).name).isEqualTo("small");
    assertThat(seen).containsExactly("before 2", "queued large", "queued small", "chose 1", "end");
    seen.clear();
    assertThat(queue.poll(1).name).isEqualTo("large");
    assertThat(seen).containsExactly("before 1", "queued large", "chose 0", "end");
    seen.clear();
    assertThat(queue.poll(1)).isNull();
    assertThat(seen).isEmpty();
    assertThat(faults).isEmpty();
  }

  @Test
  void inShadowModeItSeesTheChoiceOfTheOrder() {
    SharedOrder<TestOp> queue = queue(false, "nothing");
    assertThat(queue.poll(1).name).isEqualTo("large");
    assertThat(seen).contains("chose 1");
  }

  @Test
  void whereverItFailsNoReadIsLost() {
    for (String place : new String[] {"before", "queued", "chose", "end"}) {
      for (boolean acting : new boolean[] {true, false}) {
        faults.clear();
        SharedOrder<TestOp> queue = queue(acting, place);
        List<String> served = new ArrayList<>();
        for (TestOp op = queue.poll(1); op != null; op = queue.poll(1)) {
          served.add(op.name);
        }
        assertThat(served).as(place).containsExactlyInAnyOrder("small", "large");
        assertThat(faults).as(place).isNotEmpty();
        assertThat(queue.size()).isZero();
      }
    }
  }

  @Test
  void readsHeldByAnEarlierOrderAreNotDecisions() {
    SharedOrder<TestOp> queue = queue(true, "nothing");
    queue.swap(new FifoOrder<>(9), true, new Watch("nothing"));
    queue.offer(new TestOp("new", 1, 1));
    queue.poll(1);
    queue.poll(1);
    assertThat(seen).isEmpty();
    assertThat(queue.poll(1).name).isEqualTo("new");
    assertThat(seen).containsExactly("before 1", "queued new", "chose 0", "end");
  }

  @Test
  void aSeedMakesALotteryDrawAgain() {
    List<String> first = null;
    for (int again = 0; again < 3; again++) {
      List<String> served = new ArrayList<>();
      LotteryOrder<TestOp> order =
          new LotteryOrder<>(
              99,
              Long.MAX_VALUE,
              1,
              new Levels(4, 10, 2, false),
              new dev.manx.policy.SplitMix(again));
      for (int i = 0; i < 40; i++) {
        order.offer(new TestOp("op" + i, 5L << (i % 4), 1));
      }
      order.peek(0);
      order.reseed(42);
      for (TestOp op = order.poll(0); op != null; op = order.poll(0)) {
        served.add(op.name);
      }
      first = first == null ? served : first;
      assertThat(served).isEqualTo(first);
    }
  }
}
