/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.foreign;

import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.OrderContractTest;
import dev.manx.policy.order.TestOp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The contract suite on an order of a third party, which bounds the wait by 20 ms. */
class ForeignOrderTest extends OrderContractTest {
  private static final long MAX_WAIT_NANOS = 20_000_000;

  static Stream<Named<Supplier<Order<TestOp>>>> orders() {
    return Stream.of(Named.of("order.smallest", () -> new Smallest<>()));
  }

  @Override
  protected long maxWaitNanos() {
    return MAX_WAIT_NANOS;
  }

  private static final class Smallest<T extends Op> implements Order<T> {
    private final List<T> queued = new ArrayList<>();

    @Override
    public boolean offer(T op) {
      if (queued.contains(op)) {
        throw new IllegalStateException("offered twice");
      }
      return queued.size() < capacity() && queued.add(op);
    }

    @Override
    public T poll(long nowNanos) {
      T op = peek(nowNanos);
      queued.remove(op);
      return op;
    }

    @Override
    public T peek(long nowNanos) {
      if (queued.isEmpty() || nowNanos - queued.get(0).arrivalNanos >= MAX_WAIT_NANOS) {
        return queued.isEmpty() ? null : queued.get(0);
      }
      T first = queued.get(0);
      for (T op : queued) {
        first = op.priority < first.priority ? op : first;
      }
      return first;
    }

    @Override
    public boolean remove(T op) {
      return queued.remove(op);
    }

    @Override
    public int size() {
      return queued.size();
    }

    @Override
    public long workNanos() {
      return queued.stream().mapToLong(op -> op.costNanos).sum();
    }

    @Override
    public int capacity() {
      return 1_000;
    }
  }
}
