/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.Request;
import dev.manx.policy.order.Order;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.RecordedDispatch;
import dev.manx.policy.record.RecordedDispatch.Queued;
import dev.manx.policy.record.RecordedPlan;
import dev.manx.policy.strategy.Strategy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;

/**
 * Repeats every decision of a log with the strategy that made it, and compares the results.
 * Confined to one thread.
 */
public final class Replay {
  /** Number of differences that are listed. */
  public static final int SHOWN = 10;

  static final int LINES_A_STEP = 1_000;

  private final DecisionLog log;
  private final Strategies strategies;
  private final Request request = new Request();
  private final Map<Integer, Order<Queued>> orders = new HashMap<>();
  private final List<String> differences = new ArrayList<>();
  private long plans;
  private long equalPlans;
  private long dispatches;
  private long equalDispatches;

  /**
   * The result of a replay.
   *
   * @param plans plans read
   * @param equalPlans plans that were repeated equally
   * @param dispatches choices among queued reads
   * @param equalDispatches choices that were repeated equally
   * @param differences the first {@value #SHOWN} differences, in words
   */
  public record Result(
      long plans,
      long equalPlans,
      long dispatches,
      long equalDispatches,
      List<String> differences,
      LogState log) {
    /** Whether every decision was repeated equally and no line of the log is damaged. */
    public boolean isEqual() {
      return plans == equalPlans && dispatches == equalDispatches && log.damaged() == 0;
    }
  }

  private Replay(String file, DecisionLog log) {
    this.log = log;
    strategies = new Strategies(file, log.head());
  }

  /**
   * Replays a log.
   *
   * @param file its name in errors
   * @param bytes the whole log
   * @throws dev.manx.policy.config.ConfigException if it is not a log of a known version, or a
   *     policy in it is unknown
   */
  public static Result of(String file, ByteBuffer bytes) {
    return of(file, bytes, progress -> {});
  }

  /**
   * Replays a log and reports progress.
   *
   * @param progress receives the fraction of the log read, from 0 to 1
   */
  public static Result of(String file, ByteBuffer bytes, DoubleConsumer progress) {
    DecisionLog log = new DecisionLog(file, bytes);
    return new Replay(file, log).run(progress);
  }

  private Result run(DoubleConsumer progress) {
    for (LogLine line = log.next(); line != null; line = log.next()) {
      if (log.lineNumber() % LINES_A_STEP == 0) {
        progress.accept(log.progress());
      }
      try {
        switch (line.kind()) {
          case DecisionLog.STRATEGY -> strategies.add(line);
          case DecisionLog.PLAN -> plan(new RecordedPlan(line, log.head()));
          case DecisionLog.DISPATCH -> dispatch(new RecordedDispatch(line, log.head()));
          default -> {}
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        log.damagedHere();
      }
    }
    return new Result(
        plans, equalPlans, dispatches, equalDispatches, List.copyOf(differences), LogState.of(log));
  }

  private void plan(RecordedPlan plan) {
    Strategy strategy = strategies.get(plan.strategy());
    strategies.now(plan.nowNanos());
    plan.beginAgain(request);
    strategy.planForecast(request, plan.view());
    plans++;
    Optional<String> difference = plan.difference(request);
    if (difference.isEmpty()) {
      equalPlans++;
    } else {
      note("plan, " + difference.get());
    }
  }

  private void dispatch(RecordedDispatch dispatch) {
    Strategy strategy = strategies.get(dispatch.strategy());
    Order<Queued> order = orders.computeIfAbsent(dispatch.strategy(), n -> strategy.newOrder());
    strategies.limitWait(order, dispatch.strategy());
    int place = dispatch.decide(order, true);
    dispatches++;
    if (place == dispatch.chosen()) {
      equalDispatches++;
    } else {
      note(
          "dispatch among %d reads: recorded the one at place %d by arrival, replayed %d"
              .formatted(dispatch.size(), dispatch.chosen(), place));
    }
  }

  private void note(String difference) {
    if (differences.size() < SHOWN) {
      differences.add("line " + log.lineNumber() + ": " + difference);
    }
  }
}
