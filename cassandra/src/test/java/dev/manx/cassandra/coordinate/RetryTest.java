/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.policy.Request;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RetryTest {
  private static final long MILLI = 1_000_000;
  private static final int SELF = 0;
  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private final AtomicLong now = new AtomicLong(1_000 * MILLI);
  private final Engine engine =
      TestEngines.of("strategy: { order: order.boost, fanout: fanout.brb-equalmax }", now::get);
  private final ThreadPlan plan = ThreadPlan.current();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void end() {
    plan.close();
  }

  private void planned(int... replicas) {
    Request request = plan.request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    request.addRead(null, 0, 1);
    for (int replica : replicas) {
      request.addReplica(replica, 0);
    }
    engine.strategy().plan(request, engine.state());
    // The selector's choice is not the subject.
    System.arraycopy(replicas, 0, request.replicas(), 0, replicas.length);
    plan.open(engine, 1, true);
  }

  private boolean canWait(int node) {
    return Retry.canWait(engine, plan, 0, node);
  }

  @Test
  void theFirstAttemptDoesNotWait() {
    planned(FIRST, SECOND);
    engine.signs().answered(FIRST, now.get());
    assertThat(canWait(FIRST)).isFalse();
  }

  @Test
  void aRetryWaitsIfTheFirstReplicaAnswersOtherReads() {
    planned(FIRST, SECOND);
    plan.isFirstAttempt(0);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get() - 50 * MILLI);
    assertThat(canWait(SECOND)).isTrue();
    // It has been silent for more than half of the time that the request took.
    now.addAndGet(2 * MILLI);
    assertThat(canWait(SECOND)).isFalse();
  }

  @Test
  void aRetryDoesNotWaitForASilentReplica() {
    planned(FIRST, SECOND);
    plan.isFirstAttempt(0);
    now.addAndGet(100 * MILLI);
    assertThat(canWait(SECOND)).as("it has never answered").isFalse();
    engine.signs().answered(FIRST, now.get());
    assertThat(canWait(SECOND)).isTrue();
    engine.signs().ended(FIRST);
    assertThat(canWait(SECOND)).as("it has died").isFalse();
  }

  @Test
  void thisNodeIsNotSilent() {
    planned(SELF, SECOND);
    plan.isFirstAttempt(0);
    now.addAndGet(100 * MILLI);
    assertThat(canWait(SECOND)).isTrue();
  }

  @Test
  void readRepairAsksTheSameReplicaAndDoesNotWait() {
    planned(FIRST, SECOND);
    plan.isFirstAttempt(0);
    engine.signs().answered(FIRST, now.get());
    assertThat(canWait(FIRST)).isFalse();
  }
}
