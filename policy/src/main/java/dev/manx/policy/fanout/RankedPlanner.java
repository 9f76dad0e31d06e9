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

  static final Setting CHOOSE =
      Setting.word(
          "choose",
          "what a replica is chosen for; opset: all reads with the same replicas go together",
          "read",
          "opset");

  private final Ranking ranking;
  private final boolean longestFirst;
  private final boolean perOpset;

  /**
   * A planner without memory that chooses read by read.
   *
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public RankedPlanner(Ranking ranking, boolean longestFirst) {
    this(ranking, longestFirst, false);
  }

  /**
   * A planner without memory.
   *
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   * @param perOpset whether reads with the same replicas go to one of them together
   */
  RankedPlanner(Ranking ranking, boolean longestFirst, boolean perOpset) {
    this.ranking = ranking;
    this.longestFirst = longestFirst;
    this.perOpset = perOpset;
  }

  /** The planner that the settings {@code longest-first} and {@code choose} describe. */
  static RankedPlanner choosing(Ranking ranking, Values settings) {
    return new RankedPlanner(
        ranking, longestFirst(settings), settings.word("choose").equals("opset"));
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
