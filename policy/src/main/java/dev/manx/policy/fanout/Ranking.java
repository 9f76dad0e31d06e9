/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.config.Setting;

/**
 * How a planner ranks the reads of a request once their replicas are chosen.
 *
 * @param unit of priorities, slack and bottleneck
 * @param tagged whether the reads carry tags
 * @param priorities gives each read its priority and slack
 */
public record Ranking(Unit unit, boolean tagged, Priorities priorities) {
  /** Each read separately; no tags. */
  public static final Ranking NONE = new Ranking(Unit.NANOS, false, (request, bottleneck) -> {});

  /** By the request's largest opset in keys. */
  public static final Ranking REIN_SBF = byBottleneck(Unit.KEYS);

  /** By the forecast service time of the request's costliest opset. */
  public static final Ranking BRB_EQUALMAX = byBottleneck(Unit.NANOS);

  static final Setting RANK =
      Setting.word(
          "rank",
          "planner that sets the priorities of the reads",
          "none",
          "rein-sbf",
          "brb-equalmax");

  /** Gives each read its priority and slack. Allocates nothing. */
  @FunctionalInterface
  public interface Priorities {
    /**
     * Writes priorities and slack into the request.
     *
     * @param bottleneck cost of the costliest opset, in the ranking's unit
     */
    void assign(Request request, long bottleneck);
  }

  /** Every read gets the request's bottleneck as its priority. */
  public static Ranking byBottleneck(Unit unit) {
    return new Ranking(
        unit,
        true,
        (request, bottleneck) -> Plans.prioritiseByBottleneck(request, unit, bottleneck));
  }

  /**
   * A read gets the request's bottleneck minus its own cost as its priority.
   *
   * @param perOpset subtract the cost of the read's whole opset
   */
  public static Ranking byIncrease(boolean perOpset) {
    return new Ranking(
        Unit.NANOS,
        true,
        (request, bottleneck) -> Plans.prioritiseByIncrease(request, bottleneck, perOpset));
  }

  /** Returns the ranking named by the setting {@code rank}. */
  static Ranking of(String word) {
    return switch (word) {
      case "none" -> NONE;
      case "rein-sbf" -> REIN_SBF;
      case "brb-equalmax" -> BRB_EQUALMAX;
      default -> throw new IllegalArgumentException(word);
    };
  }

  /** Ranks the reads of a request whose replicas are chosen, and finishes the plan. */
  void finish(Request request) {
    long bottleneck = Plans.bottleneck(request, unit);
    priorities.assign(request, bottleneck);
    request.finish(tagged, unit, bottleneck);
  }
}
