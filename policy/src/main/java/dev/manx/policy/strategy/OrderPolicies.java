/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.AT_REPLICA;
import static dev.manx.policy.strategy.Scales.MILLI;
import static dev.manx.policy.strategy.Scales.SECOND;

import dev.manx.policy.order.BoostOrder;
import dev.manx.policy.order.BottleneckOrder;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.LotteryOrder;
import dev.manx.policy.order.MaxWeightedFlowOrder;
import dev.manx.policy.order.MultilevelOrder;
import dev.manx.policy.order.SjfOrder;
import dev.manx.policy.order.SlackEdfOrder;
import java.util.List;
import java.util.function.Function;

/** The registry's family {@code order}. */
final class OrderPolicies {
  private static final Setting CAPACITY =
      Setting.whole("capacity", 65_536, 1, 1 << 24, "most reads queued; beyond, the stock queue");
  private static final Setting MAX_WAIT =
      Setting.duration(
          "max-wait", 500 * MILLI, 1, 3600 * SECOND, "then the oldest read goes first");
  private static final Setting BETA =
      Setting.durationOr(
          "auto", "beta", 1, 3600 * SECOND, "scale of the boost; auto: from waits measured here");
  private static final Setting LEVELS = Setting.whole("levels", 8, 2, 64, "levels of the queue");
  private static final Setting LEVEL_ZERO =
      Setting.duration(
          "level-zero", MILLI, 1, 3600 * SECOND, "bottleneck from which levels are counted");
  private static final Setting GROWTH =
      Setting.number("growth", 2, 1.01, 1_000, "of the bottleneck from level to level");
  private static final Setting INSIDE =
      Setting.word("inside", "order inside a level", "arrival", "slack");

  private OrderPolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        policy(
            "order.fifo",
            "arrival order",
            "baseline",
            List.of(CAPACITY),
            s -> new FifoOrder<>(capacity(s))),
        policy(
            "order.sjf",
            "smallest forecast cost first, arrival order among equals, bounded wait",
            "shortest job first; Hector PriorityReadQueue",
            List.of(MAX_WAIT, CAPACITY),
            s -> new SjfOrder<>(capacity(s), s.number("max-wait"))),
        policy(
            "order.bottleneck",
            "smallest bottleneck first, arrival order among equals, bounded wait",
            "Rein (EuroSys'17) SBF; BRB section 2.1",
            List.of(MAX_WAIT, CAPACITY),
            s -> new BottleneckOrder<>(capacity(s), s.number("max-wait"))),
        policy(
            "order.boost",
            "earliest boosted arrival first: reads of small requests count as having come earlier",
            "Yu and Scully, Strongly Tail-Optimal Scheduling in the Light-Tailed M/G/1 (SIGMETRICS'24)",
            List.of(BETA, MAX_WAIT, CAPACITY),
            s -> new BoostOrder<>(capacity(s), s.number("max-wait"), s.number("beta"))),
        policy(
            "order.slack-edf",
            "earliest latest start first: arrival plus slack",
            "Rein (EuroSys'17) slack-driven scheduling",
            List.of(MAX_WAIT, CAPACITY),
            s -> new SlackEdfOrder<>(capacity(s), s.number("max-wait"))),
        policy(
            "order.multilevel",
            "first non-empty level by bottleneck, bounded wait",
            "Hector MultilevelReadQueue; Rein (EuroSys'17)",
            List.of(LEVELS, LEVEL_ZERO, GROWTH, INSIDE, MAX_WAIT, CAPACITY),
            s ->
                new MultilevelOrder<>(
                    capacity(s),
                    s.number("max-wait"),
                    (int) s.number("levels"),
                    s.number("level-zero"),
                    s.real("growth"),
                    s.word("inside").equals("slack"))),
        policy(
            "order.lottery",
            "a level drawn by weight among those not empty, bounded wait",
            "Hector RandomMultilevelReadQueue; Rein (EuroSys'17)",
            List.of(
                LEVELS,
                Setting.number("factor", 2, 1, 1_000, "how much likelier a level is than the next"),
                LEVEL_ZERO,
                GROWTH,
                INSIDE,
                MAX_WAIT,
                CAPACITY),
            s ->
                new LotteryOrder<>(
                    capacity(s),
                    s.number("max-wait"),
                    (int) s.number("levels"),
                    s.real("factor"),
                    s.number("level-zero"),
                    s.real("growth"),
                    s.word("inside").equals("slack"),
                    s.random())),
        policy(
            "order.max-weighted-flow",
            "largest wait in multiples of the forecast cost, bounded wait",
            "Hector MWFReadQueue",
            List.of(MAX_WAIT, CAPACITY),
            s -> new MaxWeightedFlowOrder<>(capacity(s), s.number("max-wait"))));
  }

  private static int capacity(Settings s) {
    return (int) s.number("capacity");
  }

  private static PolicyInfo policy(
      String name,
      String summary,
      String source,
      List<Setting> settings,
      Function<Settings, ?> factory) {
    return new PolicyInfo(name, summary, source, AT_REPLICA, settings, List.of(), factory);
  }
}
