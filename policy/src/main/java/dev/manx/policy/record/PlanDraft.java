/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.Memory;
import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The record of one plan in progress. The host begins its request with {@link #random}, plans it on
 * {@link #freeze} instead of the live view, and then calls {@link #finish}. Confined to the
 * request's thread.
 */
public final class PlanDraft implements Memory {
  private final long number;
  private final SplitMix random;
  private FrozenView view;
  private int[] stock = new int[0];
  private long[] recalled = new long[16];
  private int recalls;

  /**
   * Begins a record.
   *
   * @param number number of the decision in its log
   * @param logSeed the seed in the log's head
   */
  public PlanDraft(long number, long logSeed) {
    this.number = number;
    random = new SplitMix(DecisionLog.seed(logSeed, number));
  }

  /** The request's source of randomness. */
  public RandomGenerator random() {
    return random;
  }

  /** Records a filled request before planning, and returns the view to plan it on. */
  public ClusterView freeze(Request filled, ClusterView live) {
    int reads = filled.reads();
    int replicas = reads == 0 ? 0 : filled.replicaStart(reads - 1) + filled.replicaCount(reads - 1);
    stock = Arrays.copyOf(filled.replicas(), replicas);
    view = FrozenView.of(live, stock, filled.nowNanos());
    filled.memory(this);
    return view;
  }

  @Override
  public long recalled(long own) {
    if (recalls == recalled.length) {
      recalled = Arrays.copyOf(recalled, recalls * 2);
    }
    recalled[recalls++] = own;
    return own;
  }

  /**
   * The record of a planned request.
   *
   * @param strategy number of the strategy that planned it
   * @param acting whether the plan takes effect
   * @param paging how the keys are read
   */
  public LogLine finish(Request planned, int strategy, boolean acting, PlanPaging paging) {
    planned.memory(null);
    LogLine line =
        new LogLine(DecisionLog.PLAN)
            .put("i", number)
            .put("s", strategy)
            .put("m", acting ? "on" : "shadow")
            .put("t", planned.nowNanos())
            .put("v", ViewText.write(view, planned.nowNanos()))
            .put("r", RequestText.input(planned, stock));
    if (paging != PlanPaging.NONE) {
      line.put("p", paging.code());
    }
    if (recalls > 0) {
      line.put("k", Recollection.write(recalled, recalls));
    }
    line.put("o", String.join(";", RequestText.decided(planned)))
        .put("w", RequestText.whole(planned));
    String order = RequestText.order(planned);
    return order.isEmpty() ? line : line.put("q", order);
  }
}
