/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No op is lost or served twice by orders that throw, return nothing or return ops that they were
 * never offered, while they are swapped and switched into shadow mode.
 */
@Tag("lincheck")
@Param(name = "priority", gen = IntGen.class, conf = "0:3")
public class SharedOrderFaultsLincheckTest {
  private final SharedOrder<TestOp> order =
      new SharedOrder<>(
          new FaultyOrder(FaultyOrder.Fault.THROWS), true, null, fault -> {}, Long.MAX_VALUE);

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
  public void off() {
    order.swap(new ListOrder(1, false), true);
  }

  @Operation
  public void toThrowing() {
    order.swap(new FaultyOrder(FaultyOrder.Fault.THROWS), true);
  }

  @Operation
  public void toGivingForeign() {
    order.swap(new FaultyOrder(FaultyOrder.Fault.GIVES_FOREIGN), true);
  }

  @Operation
  public void toShadow() {
    order.swap(new FaultyOrder(FaultyOrder.Fault.GIVES_NONE), false);
  }

  @Test
  void modelChecking() {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .iterations(8)
            .invocationsPerIteration(150)
            .threads(2)
            .actorsPerThread(3)
            .actorsBefore(2)
            .actorsAfter(3);
    LinChecker.check(SharedOrderFaultsLincheckTest.class, options);
  }
}
