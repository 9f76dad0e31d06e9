/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Orders that threads share, and the faults that they report. */
final class SharedOrderBench {
  final List<Throwable> faults = new ArrayList<>();

  SharedOrder<TestOp> shared(Order<TestOp> order, boolean acting) {
    // On a busy machine, a thread may be suspended longer than the usual bound.
    return new SharedOrder<>(order, acting, null, faults::add, TimeUnit.MINUTES.toNanos(1));
  }

  /** Waits for the other threads of a test. */
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Offers one op for each cost, which is also its name and its priority. */
  static void offer(SharedOrder<TestOp> shared, long... costs) {
    for (long cost : costs) {
      assertThat(shared.offer(new TestOp(Long.toString(cost), cost, cost))).isTrue();
    }
  }

  /** The names of all queued ops, in the order of service. */
  static List<String> drain(SharedOrder<TestOp> shared) {
    List<String> names = new ArrayList<>();
    for (TestOp op = shared.poll(0); op != null; op = shared.poll(0)) {
      names.add(op.name);
    }
    return names;
  }
}
