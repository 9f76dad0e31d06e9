/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * Has the selector rank the replicas of every read, then ranks the reads: the whole of {@code
 * fanout.none}, {@code .rein-sbf}, {@code .rein-sds}, {@code .brb-equalmax}, {@code .brb-unifincr}
 * and {@code .tailx-slack}, and the first step of the others. Stateless.
 *
 * <p>When a read is ranked, the earlier reads of its request count as if they had been sent as
 * planned.
 */
public final class RankedPlanner implements FanoutPlanner {
  static final Setting LONGEST_FIRST =
      Setting.flag("longest-first", false, "whether the costliest read of a request goes first");

  static final Setting CHOOSE =
      Setting.word(
          "choose",
          "unit of choice; opset: all reads with the same replicas go together",
          "read",
          "opset");

  private final Ranking ranking;
  private final boolean longestFirst;
  private final boolean perOpset;

  /**
   * Creates a planner without state that chooses read by read.
   *
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public RankedPlanner(Ranking ranking, boolean longestFirst) {
    this(ranking, longestFirst, false);
  }

  /**
   * Creates a planner without state.
   *
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   * @param perOpset whether all reads with the same replicas go to one of them together
   */
  RankedPlanner(Ranking ranking, boolean longestFirst, boolean perOpset) {
    this.ranking = ranking;
    this.longestFirst = longestFirst;
    this.perOpset = perOpset;
  }

  /** Creates the planner for the settings {@code longest-first} and {@code choose}. */
  static RankedPlanner choosing(Ranking ranking, Values settings) {
    return new RankedPlanner(
        ranking, longestFirst(settings), settings.word("choose").equals("opset"));
  }

  /** Creates the planner for the settings {@code rank} and {@code longest-first}. */
  static RankedPlanner of(Values settings) {
    return new RankedPlanner(Ranking.of(settings.word("rank")), longestFirst(settings));
  }

  static boolean longestFirst(Values settings) {
    return settings.flag("longest-first");
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    if (perOpset) {
      Opsets.rankAndAssign(request, selector, view);
    } else {
      Plans.rankAndAssign(request, selector, view);
    }
    ranking.finish(request);
  }

  @Override
  public Request.Unit unit() {
    return ranking.unit();
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
