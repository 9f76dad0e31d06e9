/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/** How a planner that does something else besides ranks the reads of a request. */
public enum Ranking {
  /** Each read as if it were alone; no tags. */
  NONE("none", Unit.NANOS),
  /** As {@code fanout.rein-sbf}. */
  REIN_SBF("rein-sbf", Unit.KEYS),
  /** As {@code fanout.brb-equalmax} with forecast costs. */
  BRB_EQUALMAX("brb-equalmax", Unit.NANOS);

  private final String word;
  private final Unit unit;

  Ranking(String word, Unit unit) {
    this.word = word;
    this.unit = unit;
  }

  /** The ranking that a setting names. */
  public static Ranking of(String word) {
    for (Ranking ranking : values()) {
      if (ranking.word.equals(word)) {
        return ranking;
      }
    }
    throw new IllegalArgumentException(word);
  }

  Unit unit() {
    return unit;
  }

  /** Ranks, assigns, prioritises and finishes. */
  void plan(Request request, boolean longestFirst, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit);
    if (this != NONE) {
      Plans.prioritiseByBottleneck(request, unit, bottleneck);
    }
    request.finish(this != NONE, unit, bottleneck);
  }
}
