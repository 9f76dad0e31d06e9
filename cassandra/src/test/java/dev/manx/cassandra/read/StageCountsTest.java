/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Guard;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.net.Message;
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
  // Reads that ran on the thread that brought them, which alone counts them.
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
          if (Thread.currentThread() == caller) {
            atOnce++;
          }
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

  /** While both threads are busy, so that each read would wait in the order. */
  @Test
  void readsWhoseDescriptionFailsAreCompletedOnceToo() throws Exception {
    Guard lenient =
        new Guard(engine.counters(), new Breaker(1_000, 1, 0), engine.clock(), () -> {});
    Engine faulty = TestEngines.with(engine, "guard", lenient);
    ReadStage stage =
        new ReadStage(
            stock,
            faulty,
            () -> faulty,
            new ReadRunnables() {
              @Override
              Message.Header header(Runnable runnable) {
                throw new IllegalStateException("no header");
              }
            });
    CountDownLatch busy = new CountDownLatch(1);
    for (int thread = 0; thread < 2; thread++) {
      brought++;
      stage.execute(
          () -> {
            try {
              busy.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            ran.incrementAndGet();
          });
    }
    await(() -> stock.getActiveTaskCount() == 2);
    for (int read = 0; read < 10; read++) {
      brought += 2;
      stage.execute(ran::incrementAndGet);
      stage.enter(faulty, null, ran::incrementAndGet, ExecutorLocals.current());
    }
    assertThat(engine.load().completedReads()).isZero();
    busy.countDown();
    await(() -> stock.getActiveTaskCount() + stock.getPendingTaskCount() == 0);
    assertThat(ran).hasValue(brought);
    assertThat(engine.load().completedReads()).isEqualTo(brought);
  }
}
