/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.strategy.Strategy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlanRecordTest {
  private static final LogHead HEAD = new LogHead(5, 1, 8, Map.of());

  private final ClusterState state = new ClusterState(8, 64);

  /** Two reads, the second with a replica in another datacenter, planned by least work. */
  private LogLine recorded() {
    Strategy strategy =
        Strategy.parse(
            "test.yaml",
            "strategy: { select: select.low, fanout: fanout.brb-equalmax }",
            () -> 1_000);
    state.tickets().open(1, 3, 700, 1, 0, 10_000);
    state.apply(FactColumn.PENDING_READS, 3, 4, 900);
    PlanDraft draft = new PlanDraft(1, HEAD.seed());
    Request request = new Request();
    request.begin(1_000, draft.random(), 8);
    request.addRead(null, 0xabcL, 1);
    request.addReplica(3, 0);
    request.addReplica(5, 0);
    request.addRead(null, -1, 2);
    request.addReplica(5, 0);
    request.addReplica(6, 1);
    strategy.plan(request, draft.freeze(request, state));
    return draft.finish(request, 2, false, PlanPaging.NONE);
  }

  @Test
  void isWrittenAsInTheGuide() {
    LogLine line = recorded();
    assertThat(line.text("v"))
        .isEqualTo(
            "3:1:700:4@100:-:-:-:-:-:-:-:-:-;5:0:0:-:-:-:-:-:-:-:-:-:-;6:0:0:-:-:-:-:-:-:-:-:-:-");
    assertThat(line.text("r")).isEqualTo("abc:1:0:1000000:3.5;ffffffffffffffff:2:0:1000000:5|6");
    // Node 3 has work, so both reads go to node 5: an opset of two milliseconds, no slack.
    assertThat(line.text("o")).isEqualTo("5.3:2000000;5|6:2000000");
    assertThat(line.text("w")).isEqualTo("NANOS:1:0:2000000");
    assertThat(line.text("m")).isEqualTo("shadow");
    assertThat(new String(line.bytes(), UTF_8)).startsWith("P i=1 s=2 m=shadow t=1000 v=3:1:700:");
  }

  @Test
  void theViewOfTheLogIsTheViewOfTheDecision() {
    RecordedPlan plan = new RecordedPlan(recorded(), HEAD);
    ClusterView view = plan.view();
    assertThat(view.capacity()).isEqualTo(8);
    assertThat(view.outstandingReads(3)).isEqualTo(1);
    assertThat(view.outstandingWorkNanos(3)).isEqualTo(700);
    assertThat(view.value(FactColumn.PENDING_READS, 3)).isEqualTo(4);
    assertThat(view.ageNanos(FactColumn.PENDING_READS, 3, 1_000)).isEqualTo(100);
    assertThat(view.ageNanos(FactColumn.PENDING_READS, 3, 1_050)).isEqualTo(150);
    assertThat(view.ageNanos(FactColumn.SERVICE_TIME, 3, 1_000)).isEqualTo(ClusterView.NEVER);
    assertThat(view.ageNanos(FactColumn.PENDING_READS, 7, 1_000)).isEqualTo(ClusterView.NEVER);
    assertThat(view.outstandingReads(7)).isZero();
  }

  /**
   * A coordinator's ids say little to others; what its policies chose by does not depend on them.
   */
  @Test
  void theLogHasTheIdentitiesOfNodes() {
    ClusterState named = new ClusterState(8, 64, node -> 0x9E3779B97F4A7C15L * node);
    Strategy strategy =
        Strategy.parse(
            "test.yaml",
            "strategy: { select: { policy: select.primary, home: key-hash } }",
            () -> 1_000);
    for (long key = 0; key < 100; key++) {
      PlanDraft draft = new PlanDraft(1, HEAD.seed());
      Request request = new Request();
      request.begin(1_000, draft.random(), 8);
      request.addRead(null, key, 1);
      for (int node = 3; node < 6; node++) {
        request.addReplica(node, 0);
      }
      strategy.planFixed(request, draft.freeze(request, named));
      LogLine line = LogLine.parse(text(draft.finish(request, 1, true, PlanPaging.NONE)));
      RecordedPlan plan = new RecordedPlan(line, HEAD);
      assertThat(plan.view().identity(5)).isEqualTo(named.identity(5));
      assertThat(plan.view().identity(7)).as("not in the plan").isEqualTo(7);
      plan.beginAgain(request);
      strategy.planForecast(request, plan.view());
      assertThat(plan.difference(request)).isEmpty();
    }
  }

  /** Its decisions were made by ids. */
  @Test
  void aLogWithoutIdentitiesIsReadToo() {
    LogHead head = new LogHead(5, 1, 8, List.of("pending-reads"), Map.of());
    ClusterView view = ViewText.read("3:1:700:4@100", head.columns(), 8, 1_000);
    assertThat(view.value(FactColumn.PENDING_READS, 3)).isEqualTo(4);
    assertThat(view.identity(3)).isEqualTo(3);
  }

  private static String text(LogLine line) {
    return new String(line.bytes(), UTF_8).stripTrailing();
  }

  @Test
  void aRequestWithoutReadsIsAPlanToo() {
    Strategy strategy = Strategy.parse("test.yaml", "strategy: {}", () -> 1_000);
    PlanDraft draft = new PlanDraft(1, HEAD.seed());
    Request request = new Request();
    request.begin(1_000, draft.random(), 8);
    strategy.plan(request, draft.freeze(request, state));
    RecordedPlan plan = new RecordedPlan(draft.finish(request, 1, true, PlanPaging.STOCKS), HEAD);
    plan.beginAgain(request);
    strategy.planForecast(request, plan.view());
    assertThat(plan.difference(request)).isEmpty();
  }

  @Test
  void changesAfterTheFreezeHaveNoEffect() {
    PlanDraft draft = new PlanDraft(1, 1);
    Request request = new Request();
    request.begin(1_000, draft.random(), 8);
    request.addRead(null, 1, 1);
    request.addReplica(3, 0);
    ClusterView view = draft.freeze(request, state);
    state.tickets().open(9, 3, 5_000, 1, 0, 10_000);
    state.apply(FactColumn.SERVICE_TIME, 3, 5, 1_000);
    assertThat(view.outstandingWorkNanos(3)).isZero();
    assertThat(view.ageNanos(FactColumn.SERVICE_TIME, 3, 1_000)).isEqualTo(ClusterView.NEVER);
  }

  @Test
  void recalledValuesAreReturnedAndCounted() {
    Recollection memory = new Recollection(Recollection.write(new long[] {7, -1, 0}, 2));
    assertThat(memory.recalled(100)).isEqualTo(7);
    assertThat(memory.isUsedUp()).isFalse();
    assertThat(memory.recalled(100)).isEqualTo(-1);
    assertThat(memory.isUsedUp()).isTrue();
    assertThat(memory.recalled(100)).as("more than was recorded").isEqualTo(100);
    assertThat(memory.isUsedUp()).isFalse();
  }

  @Test
  void aRequestForgetsItsMemory() {
    AtomicInteger asked = new AtomicInteger();
    Request request = new Request();
    request.begin(0, null, 1);
    request.memory(
        own -> {
          asked.incrementAndGet();
          return 8;
        });
    assertThat(request.recalled(5)).isEqualTo(8);
    request.begin(0, null, 1);
    assertThat(request.recalled(5)).isEqualTo(5);
    assertThat(asked).hasValue(1);
  }
}
