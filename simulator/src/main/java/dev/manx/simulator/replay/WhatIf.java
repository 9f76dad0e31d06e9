/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.Request;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.order.Order;
import dev.manx.policy.record.Answer;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.RecordedDispatch;
import dev.manx.policy.record.RecordedDispatch.Queued;
import dev.manx.policy.record.RecordedPlan;
import dev.manx.policy.strategy.Strategy;
import dev.manx.policy.strategy.StrategyFile;
import dev.manx.workload.RequestClass;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * Repeats a log's decisions with another strategy, on the same views, forecasts and queues as the
 * recorded one, and counts the different decisions. The effect of the other strategy on the cluster
 * is unknown, so the counts show how often it disagrees, not how fast it is. Policies that learn
 * use the answers in the log. Confined to one thread.
 */
public final class WhatIf {
  private final DecisionLog log;
  private final Strategies strategies;
  private final Strategy other;
  private final Order<Queued> order;
  private final int narrowMaxReads;
  private final Request request = new Request();
  private final Map<RequestClass, Changed> classes = new EnumMap<>(RequestClass.class);
  private long dispatches;
  private long changedDispatches;
  private long answers;
  private boolean ticking;
  private long nextTickNanos;

  /** Numbers of requests of a class: all, and those planned differently. */
  public static final class Changed {
    private long requests;
    private long changedRequests;
    private long reads;
    private long changedReads;

    /** Requests of the class. */
    public long requests() {
      return requests;
    }

    /** Requests with a read that would have gone to another replica. */
    public long changedRequests() {
      return changedRequests;
    }

    /** Reads of those requests. */
    public long reads() {
      return reads;
    }

    /** Reads that would have gone to other replicas. */
    public long changedReads() {
      return changedReads;
    }
  }

  /**
   * The result.
   *
   * @param classes by class of the result files, without empty classes
   * @param dispatches choices among queued reads
   * @param changedDispatches choices where another read would have been served
   * @param answers answers that the other strategy learned from
   */
  public record Result(
      Map<RequestClass, Changed> classes,
      long dispatches,
      long changedDispatches,
      long answers,
      LogState log) {}

  private WhatIf(DecisionLog log, String file, String name, String document, int narrowMaxReads) {
    this.log = log;
    this.narrowMaxReads = narrowMaxReads;
    strategies = new Strategies(file, log.head());
    other = strategies.of(StrategyFile.of(name, document).strategy());
    if (other.bound() != null) {
      throw new ConfigException(
          name, 0, "strategy.bound", "a bound", "a strategy that decides from one node's view");
    }
    order = other.newOrder();
  }

  /**
   * Replays a log by another strategy.
   *
   * @param file the log's name in errors
   * @param bytes the whole log
   * @param name the other strategy's file in errors
   * @param document its YAML with the key {@code strategy}; may be a node's whole file
   * @param narrowMaxReads the widest request that still counts as narrow
   * @param progress receives the fraction of the log read, from 0 to 1
   * @throws ConfigException if the log or the strategy is invalid
   */
  public static Result of(
      String file,
      ByteBuffer bytes,
      String name,
      String document,
      int narrowMaxReads,
      DoubleConsumer progress) {
    DecisionLog log = new DecisionLog(file, bytes);
    return new WhatIf(log, file, name, document, narrowMaxReads).run(progress);
  }

  private Result run(DoubleConsumer progress) {
    for (LogLine line = log.next(); line != null; line = log.next()) {
      if (log.lineNumber() % Replay.LINES_A_STEP == 0) {
        progress.accept(log.progress());
      }
      try {
        switch (line.kind()) {
          case DecisionLog.STRATEGY -> strategies.add(line);
          case DecisionLog.PLAN -> plan(new RecordedPlan(line, log.head()));
          case DecisionLog.DISPATCH -> dispatch(new RecordedDispatch(line, log.head()));
          case DecisionLog.ANSWER -> answer(Answer.read(line, log.head()));
          default -> {}
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        log.damagedHere();
      }
    }
    return new Result(
        new EnumMap<>(classes), dispatches, changedDispatches, answers, LogState.of(log));
  }

  private void plan(RecordedPlan plan) {
    SizeOracle sizes = strategies.get(plan.strategy()).sizes();
    tick(plan);
    plan.begin(request);
    other.planForecast(request, plan.view());
    long changed = 0;
    boolean large = false;
    for (int read = 0; read < request.reads(); read++) {
      changed += plan.goesElsewhere(request, read) ? 1 : 0;
      large |= sizes != null && request.sizeBytes(read) >= sizes.largeAboveBytes();
    }
    for (RequestClass one : RequestClass.OF_REQUESTS) {
      if (one.holds(request.reads(), large, narrowMaxReads)) {
        Changed counts = classes.computeIfAbsent(one, c -> new Changed());
        counts.requests++;
        counts.reads += request.reads();
        counts.changedReads += changed;
        counts.changedRequests += changed > 0 ? 1 : 0;
      }
    }
  }

  /** Makes the timer's calls up to the log's clock. */
  private void tick(RecordedPlan plan) {
    long now = plan.nowNanos();
    strategies.now(now);
    if (!ticking || now - nextTickNanos >= 0) {
      ticking = true;
      nextTickNanos = now + other.tickIntervalNanos();
      other.tick(plan.view(), plan.nodes(), now);
    }
  }

  private void dispatch(RecordedDispatch dispatch) {
    strategies.now(dispatch.nowNanos());
    strategies.limitWait(order, dispatch.strategy());
    dispatches++;
    changedDispatches += dispatch.decide(order, false) == dispatch.chosen() ? 0 : 1;
  }

  private void answer(Answer answer) {
    strategies.now(answer.nowNanos());
    answer.teach(other.selector());
    answers++;
  }
}
