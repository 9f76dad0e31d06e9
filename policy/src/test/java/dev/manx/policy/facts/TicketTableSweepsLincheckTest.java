/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A ticket is closed once, by its answer, its expiry or its node's death, whichever comes first.
 * One stripe only: a sweep takes stripe by stripe.
 */
@Tag("lincheck")
@Param(name = "id", gen = IntGen.class, conf = "1:3")
public class TicketTableSweepsLincheckTest {
  private final TicketTable table = new TicketTable(4, 1, 1);

  @Operation
  public boolean open(@Param(name = "id") int id) {
    return table.open(id, 0, 10L * id, 0, 0, id);
  }

  @Operation
  public long close(@Param(name = "id") int id) {
    Ticket ticket = new Ticket();
    return table.close(id, 0, ticket) ? ticket.costNanos : -1;
  }

  // Ticket n expires at n.
  @Operation
  public int expire(@Param(name = "id") int id) {
    return table.expire(id, ticket -> {});
  }

  @Operation
  public int nodeDies() {
    return table.closeNode(0, ticket -> {});
  }

  @Operation
  public long work() {
    return table.outstandingWorkNanos(0);
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
    LinChecker.check(TicketTableSweepsLincheckTest.class, options);
  }
}
