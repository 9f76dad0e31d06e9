/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a read goes whose stage has a free thread that is about to wake up for an earlier one. */
@Timeout(60)
class ReadStageAsideTest {
  private final List<String> calls = new ArrayList<>();
  private int active = 1;

  /** Two threads, one task waiting. */
  private final LocalAwareExecutorPlus stock =
      (LocalAwareExecutorPlus)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {LocalAwareExecutorPlus.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "execute", "maybeExecuteImmediately" -> {
                      Object task = arguments[arguments.length - 1];
                      calls.add(
                          method.getName() + (task instanceof ReadTicket ? " ticket" : " task"));
                      yield null;
                    }
                    case "getMaximumPoolSize" -> 2;
                    case "getActiveTaskCount" -> active;
                    case "getPendingTaskCount" -> 1;
                    default -> throw new UnsupportedOperationException(method.toString());
                  });

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private ReadStage aside() throws Exception {
    Engine engine = TestEngines.calm("strategy: manx", () -> 0);
    assertThat(engine.standsAside()).isTrue();
    return stage(engine);
  }

  private ReadStage stage(Engine engine) throws Exception {
    return new ReadStage(stock, engine, () -> engine, new ReadRunnables());
  }

  @Test
  void whileManxStandsAsideALocalReadTakesTheFreeThreadAsInStock() throws Exception {
    ReadStage stage = aside();
    // One in sixteen may be sampled, and none within five milliseconds of another.
    stage.maybeExecuteImmediately(() -> {});
    stage.maybeExecuteImmediately(() -> {});
    assertThat(calls).contains("maybeExecuteImmediately task");
    assertThat(stage.queued()).isZero();
  }

  @Test
  void withoutAFreeThreadItWaits() throws Exception {
    active = 2;
    ReadStage stage = aside();
    stage.maybeExecuteImmediately(() -> {});
    assertThat(calls).containsExactly("execute ticket");
    assertThat(stage.queued()).isEqualTo(1);
  }

  @Test
  void whileManxOrdersReadsItWaitsForThoseThatCameFirst() throws Exception {
    Engine engine = TestEngines.of("strategy: manx", () -> 0);
    assertThat(engine.standsAside()).isFalse();
    ReadStage stage = stage(engine);
    stage.maybeExecuteImmediately(() -> {});
    assertThat(calls).containsExactly("execute ticket");
    assertThat(stage.queued()).isEqualTo(1);
  }

  /** Stock, too, submits these reads to its queue. */
  @Test
  void aReadOfAnotherCoordinatorWaitsInAnyCase() throws Exception {
    ReadStage stage = aside();
    stage.execute(() -> {});
    assertThat(calls).containsExactly("execute ticket");
  }
}
