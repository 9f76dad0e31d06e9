/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Offers, polls and swaps of one shared order are linearizable. */
@Tag("lincheck")
@Param(name = "priority", gen = IntGen.class, conf = "0:3")
public class SharedOrderLincheckTest {
  private final SharedOrder<TestOp> order =
      new SharedOrder<>(
          new ListOrder(8, true),
          true,
          null,
          fault -> {
            throw new IllegalStateException(fault);
          },
          Long.MAX_VALUE);

  @Operation
  public boolean offer(@Param(name = "priority") int priority) {
    return order.offer(new TestOp("p" + priority, priority, 1));
  }

  @Operation
  public String poll() {
    TestOp op = order.poll(0);
    return op == null ? null : op.name;
  }

  @Operation
  public int size() {
    return order.size();
  }

  @Operation
  public void toFifo() {
    order.swap(new ListOrder(8, false), true);
  }

  @Operation
  public void toBottleneck() {
    order.swap(new ListOrder(1, true), true);
  }

  @Test
  void modelChecking() {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .iterations(5)
            .invocationsPerIteration(150)
            .threads(2)
            .actorsPerThread(3)
            .actorsBefore(2)
            .actorsAfter(2);
    LinChecker.check(SharedOrderLincheckTest.class, options);
  }
}
