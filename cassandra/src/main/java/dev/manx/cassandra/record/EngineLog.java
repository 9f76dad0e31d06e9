/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.order.OrderWatch;
import dev.manx.policy.record.Answer;
import dev.manx.policy.record.Answer.Ending;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.DispatchDraft;
import dev.manx.policy.record.Executed;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.PlanDraft;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Records the decisions of one engine, if enabled. Any failure here ends the log and has no other
 * effect. Any thread.
 */
public final class EngineLog implements OrderWatch {
  /**
   * Queues longer than this are not recorded: copying them would hold the queue's lock too long.
   */
  static final int MOST_QUEUED = 512;

  private final RecordingSwitch recorder;
  private final int strategy;
  private final String document;
  private final boolean acting;
  private volatile long limitNanos;

  EngineLog(RecordingSwitch recorder, int strategy, String document, boolean acting) {
    this.recorder = recorder;
    this.strategy = strategy;
    this.document = document;
    this.acting = acting;
  }

  int strategy() {
    return strategy;
  }

  LogLine line() {
    return DecisionLog.strategy(strategy, document, limitNanos);
  }

  /** Sets the longest wait that the node allows the strategy's order. */
  public void limitWait(long nanos) {
    limitNanos = nanos;
  }

  /** The log, if this decision is in the sample and the log continues; otherwise null. */
  private LogFile sampled() {
    LogFile log = recorder.log();
    if (log == null || ThreadLocalRandom.current().nextDouble() >= log.sample()) {
      return null;
    }
    if (!log.isOpen()) {
      log.drop();
      return null;
    }
    return log;
  }

  /** Whether a log is being written. */
  public boolean isRecording() {
    LogFile log = recorder.log();
    return log != null && log.isOpen();
  }

  /**
   * Whether every executed read must be tracked, so that reads that had to wait are not
   * overrepresented among the recorded ones.
   */
  public boolean followsReads() {
    LogFile log = recorder.log();
    return log != null && log.requestsOnly() && log.isOpen();
  }

  /** Begins the record of a plan; null if it is not recorded. */
  public Plan plan() {
    LogFile log = sampled();
    return log == null ? null : new Plan(log);
  }

  /** The record of one plan, confined to its request's thread. */
  public final class Plan {
    private final LogFile log;
    private final PlanDraft draft;
    private boolean failed;

    private Plan(LogFile log) {
      this.log = log;
      draft = new PlanDraft(log.nextNumber(), log.seed());
    }

    /** The request's source of randomness. */
    public RandomGenerator random() {
      return draft.random();
    }

    /** Records a filled request; returns the view to plan it on. */
    public ClusterView freeze(Request filled, ClusterView live) {
      try {
        return draft.freeze(filled, live);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        failed = true;
        recorder.failed(log, e);
        return live;
      }
    }

    /**
     * Submits the record of a planned request.
     *
     * @param paging how its keys are read
     */
    public void finish(Request planned, PlanPaging paging) {
      if (!failed) {
        attempt(
            log, () -> log.offer(EngineLog.this, draft.finish(planned, strategy, acting, paging)));
      }
    }
  }

  @Override
  public Dispatch before(long nowNanos, int queued) {
    // A single read does not require a decision.
    LogFile log = queued < 2 ? null : sampled();
    if (log == null || log.requestsOnly()) {
      return null;
    }
    if (queued > MOST_QUEUED) {
      log.drop();
      return null;
    }
    return new DispatchDraft(
        log.nextNumber(),
        log.seed(),
        strategy,
        acting,
        nowNanos,
        queued,
        line -> attempt(log, () -> log.offer(this, line)));
  }

  /**
   * Records the ending of a read that was sent.
   *
   * @param outcome has a name that {@link Ending} also has
   * @param responseNanos from sending to receipt; 0 if no answer came
   */
  public void ended(
      Enum<?> outcome,
      int node,
      long costNanos,
      long responseNanos,
      long nowNanos,
      ClusterView view) {
    LogFile log = sampled();
    if (log != null && !log.requestsOnly()) {
      attempt(
          log,
          () -> {
            Ending ending = Ending.valueOf(outcome.name());
            Answer answer = new Answer(ending, node, costNanos, responseNanos, nowNanos, view);
            log.offer(this, answer.line());
          });
    }
  }

  /**
   * Records a read that this node has executed.
   *
   * @param forecastNanos the forecast service time; 0 if there was none
   * @param single whether it read one partition and was answered
   */
  public void executed(
      long nowNanos, long waitedNanos, long serviceNanos, long forecastNanos, boolean single) {
    LogFile log = sampled();
    if (log != null) {
      attempt(
          log,
          () ->
              log.offer(
                  this,
                  new Executed(nowNanos, waitedNanos, serviceNanos, forecastNanos, single).line()));
    }
  }

  /**
   * Records the end of a request.
   *
   * @param paged whether its keys were read one after another; false unless in mode shadow
   * @param weight number of requests that it represents
   * @param failed whether it ended without an answer, but not by a time-out
   * @param planned whether its reads were planned
   */
  public void requestEnded(
      long nowNanos,
      int keys,
      long latencyNanos,
      boolean paged,
      int weight,
      boolean failed,
      boolean planned) {
    LogFile log = sampled();
    if (log != null) {
      attempt(
          log,
          () ->
              log.offer(
                  this,
                  new RequestEnd(nowNanos, keys, latencyNanos, paged, weight, failed, planned)
                      .line()));
    }
  }

  private void attempt(LogFile log, Runnable record) {
    try {
      record.run();
    } catch (RuntimeException | LinkageError | AssertionError e) {
      recorder.failed(log, e);
    }
  }
}
