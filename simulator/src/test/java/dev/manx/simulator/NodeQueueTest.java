/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.order.Order;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeQueueTest {
  private static final Strategy STRATEGY =
      Strategy.parse(
          "test",
          "strategy: { order: { policy: order.fifo, capacity: 3 } }",
          Host.simulator(() -> 0, () -> 0));

  private static NodeQueue withReads(int count) {
    NodeQueue queue = new NodeQueue(STRATEGY.newOrder());
    for (int i = 0; i < count; i++) {
      Read read = new Read(i);
      read.number = i;
      read.arrivalNanos = i;
      read.arrivedNanos = i;
      queue.add(read);
    }
    return queue;
  }

  @Test
  void aNewOrderHasTheReadsThatWaited() {
    NodeQueue queue = withReads(5);
    Order<Read> fresh = STRATEGY.newOrder();
    queue.renew(fresh, 10);
    assertThat(fresh.size()).isEqualTo(3);
    List<Long> served = new ArrayList<>();
    for (Read read = queue.poll(10); read != null; read = queue.poll(10)) {
      served.add(read.number);
    }
    assertThat(served).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void anEmptiedQueueHasNoRead() {
    NodeQueue queue = withReads(5);
    assertThat(queue.empty(10)).extracting(read -> read.number).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(queue.poll(10)).isNull();
    assertThat(queue.hasWork()).isFalse();
  }
}
