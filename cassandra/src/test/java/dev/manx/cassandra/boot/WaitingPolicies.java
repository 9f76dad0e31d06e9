/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Setting;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.policy.strategy.Blueprint;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A third party's oracle whose factory, and an order whose {@code limitWait}, run a test's code.
 */
public final class WaitingPolicies implements PolicyProvider {
  static volatile Runnable made = () -> {};
  static volatile Runnable limited = () -> {};

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("oracle.size-waiting", "waits when it is made")
            .settings(Setting.size(Blueprint.MEMORY, "1KiB", "1KiB", "1GiB", "what it holds"))
            .at(Place.COORDINATOR)
            .make(settings -> oracle(settings.number(Blueprint.MEMORY))),
        PolicyInfo.named("order.waiting", "waits when its limit is set")
            .at(Place.REPLICA)
            .make(settings -> new Waiting<>()));
  }

  private static final class Waiting<T extends Op> implements Order<T> {
    private final FifoOrder<T> inside = new FifoOrder<>(16);

    @Override
    public void limitWait(long nanos) {
      limited.run();
    }

    @Override
    public boolean offer(T op) {
      return inside.offer(op);
    }

    @Override
    public T poll(long nowNanos) {
      return inside.poll(nowNanos);
    }

    @Override
    public T peek(long nowNanos) {
      return inside.peek(nowNanos);
    }

    @Override
    public boolean remove(T op) {
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

  private static SizeOracle oracle(long bytes) {
    made.run();
    return new SizeOracle() {
      @Override
      public long sizeBytes(ByteBuffer key, long keyHash) {
        return 1;
      }

      @Override
      public void learn(ByteBuffer key, long keyHash, long sizeBytes) {}

      @Override
      public long largeAboveBytes() {
        return 1;
      }

      @Override
      public long memoryBytes() {
        return bytes;
      }

      @Override
      public double fillRatio() {
        return 0;
      }
    };
  }
}
