/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts of a stage of Cassandra, some of whose reads run on the thread that brings them. */
@Timeout(60)
class StageCountsTest {
  private static final int AT_ONCE = 100;

  private final LocalAwareExecutorPlus stock =
      SharedExecutorPool.SHARED.newExecutor(2, "test", "counted-reads");
  private final Engine engine = TestEngines.calm("strategy: manx", () -> 0);
  private final AtomicInteger ran = new AtomicInteger();
  // Reads that ran on the thread that brought them.
  private int atOnce;
  private int brought;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void close() {
    stock.shutdownNow();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new IllegalStateException("the time is up");
      }
      Thread.onSpinWait();
    }
  }

  private ReadStage stage() throws Exception {
    return new ReadStage(stock, engine, () -> engine, new ReadRunnables());
  }

  private void bring(ReadStage stage) {
    Thread caller = Thread.currentThread();
    brought++;
    stage.maybeExecuteImmediately(
        () -> {
          atOnce += Thread.currentThread() == caller ? 1 : 0;
          ran.incrementAndGet();
        });
  }

  @Test
  void eachLocalReadOfAnIdleStageIsCompletedOnce() throws Exception {
    ReadStage stage = stage();
    assertThat(engine.load().completedReads()).isZero();
    // While a thread wakes up for the first read, the second runs at once.
    while (atOnce < AT_ONCE) {
      bring(stage);
      bring(stage);
      await(() -> ran.get() == brought);
    }
    await(() -> stock.getActiveTaskCount() + stock.getPendingTaskCount() == 0);
    assertThat(stock.getCompletedTaskCount())
        .as("Cassandra's own count leaves these out")
        .isEqualTo(brought - atOnce);
    assertThat(engine.load().completedReads()).isEqualTo(brought);
    assertThat(engine.load().pendingReads()).isZero();
  }
}
