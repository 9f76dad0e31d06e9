/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * Has the selector rank the replicas of every read, then ranks the reads: all that {@code
 * fanout.none}, {@code .rein-sbf}, {@code .rein-sds}, {@code .brb-equalmax}, {@code .brb-unifincr}
 * and {@code .tailx-slack} do, and what the others begin with. Stateless.
 *
 * <p>A read sees the reads of its request that were ranked before it as planned, as it would if
 * they had been sent.
 */
public final class RankedPlanner implements FanoutPlanner {
  static final Setting LONGEST_FIRST =
      Setting.flag("longest-first", false, "whether the costliest read of a request goes first");

  private final Ranking ranking;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public RankedPlanner(Ranking ranking, boolean longestFirst) {
    this.ranking = ranking;
    this.longestFirst = longestFirst;
  }

  /** The planner that the settings {@code rank} and {@code longest-first} describe. */
  static RankedPlanner of(Values settings) {
    return new RankedPlanner(Ranking.of(settings.word("rank")), longestFirst(settings));
  }

  static boolean longestFirst(Values settings) {
    return settings.flag("longest-first");
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
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
