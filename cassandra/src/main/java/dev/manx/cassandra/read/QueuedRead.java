/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.tied.TiedRead;
import dev.manx.cassandra.wire.SizeLearner;
import dev.manx.policy.order.Op;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.db.ReadResponse;

/** A runnable of the READ stage that Manx tracks, while it waits in the order and while it runs. */
public final class QueuedRead extends Op {
  private static final ThreadLocal<QueuedRead> RUNNING = new ThreadLocal<>();

  // Number of threads that run a read which another replica serves.
  private static final AtomicInteger PASSING_OVER = new AtomicInteger();

  private final Engine engine;
  private final Runnable task;
  private final Runnable runnable;
  private LocalRead local;
  private TiedRead tied;
  // Used by the running thread only.
  private boolean passedOver;
  private long keyHash;
  private boolean singlePartition;
  private long answerBytes = -1;
  private boolean served;
  private boolean queued;
  private int ahead;
  private LearnedCost otherCost;
  private long expiresNanos;
  private boolean inTurn;
  private boolean inRound;
  private long request;
  private long turn;
  private long placeInLine;
  private long arrival;
  private long coordinatorsForecastNanos;

  /**
   * @param task the task that Cassandra passed to the stage
   * @param runnable the task with the submitting thread's locals, which is run
   */
  QueuedRead(Engine engine, Runnable task, Runnable runnable) {
    this.engine = engine;
    this.task = task;
    this.runnable = runnable;
    arrivalNanos = engine.clock().nanoTime();
  }

  /**
   * Sets its coordinator's forecast; 0 if unknown. All replicas of a read are measured by the same
   * number, whereas a node that coordinates little forecasts by its own service times.
   */
  void forecast(long nanos) {
    coordinatorsForecastNanos = nanos;
  }

  private long forecastNanos() {
    return coordinatorsForecastNanos > 0 ? coordinatorsForecastNanos : costNanos;
  }

  /** Marks it as a read of one partition whose size is worth learning. */
  void key(long hash) {
    singlePartition = true;
    keyHash = hash;
  }

  /**
   * Marks it as a kind of read whose cost is learnt here.
   *
   * @param expiresAtNanos Cassandra drops it instead of serving it from this time on
   */
  void other(LearnedCost cost, long expiresAtNanos) {
    otherCost = cost;
    expiresNanos = expiresAtNanos;
  }

  /** Marks it as unranked: it keeps its place in arrival order. */
  void waitsInTurn() {
    inTurn = true;
  }

  /** Marks it as unranked because its coordinator is without Manx. */
  void waitsInRound() {
    inTurn = true;
    inRound = true;
  }

  /** Its request's id when it was queued, even if an order has changed it since. */
  long request() {
    return request;
  }

  /** Number of reads that waited when it arrived. */
  int ahead() {
    return ahead;
  }

  boolean isInTurn() {
    return inTurn;
  }

  boolean isInRound() {
    return inRound;
  }

  /**
   * @param servedBefore its turn comes when this many reads have been served
   * @param place its turn in arrival order
   * @param number among reads of equal turns the smaller goes first
   */
  void givenTurn(long servedBefore, long place, long number) {
    turn = servedBefore;
    placeInLine = place;
    arrival = number;
  }

  /** Whether serving it now would overtake earlier reads. */
  boolean overtakes(long served) {
    return placeInLine > served;
  }

  long turn() {
    return turn;
  }

  long arrival() {
    return arrival;
  }

  /** Sets the tie by which another replica may serve it while it waits; null for none. */
  void tied(TiedRead read) {
    tied = read;
    ageNanos = read == null ? 0 : read.ageNanos();
  }

  /** Records that the queue has accepted it. */
  void waits() {
    if (tied == null) {
      return;
    }
    try {
      tied.queued();
    } catch (Throwable t) {
      // It is in the queue nevertheless.
      engine.guard().fault("a read that may be passed on", t);
    }
  }

  /** Whether it ran and was answered, as far as is known: Cassandra drops expired reads. */
  boolean isServed() {
    return served;
  }

  /** Whether its turn has come, but another replica serves it. */
  boolean isPassedOver() {
    return passedOver;
  }

  /**
   * Whether the calling thread runs a read whose turn has come, but which another replica serves.
   * Where no read is tied, one volatile read.
   */
  public static boolean passesOver() {
    if (PASSING_OVER.get() == 0) {
      return false;
    }
    QueuedRead running = RUNNING.get();
    return running != null && running.passedOver;
  }

  /**
   * Records that it is about to wait, and counts it.
   *
   * @param waiting number of reads that wait already
   */
  void enqueued(int waiting) {
    queued = true;
    ahead = waiting;
    request = requestId;
    engine.load().enqueued(costNanos);
  }

  /** Undoes these records: the order does not accept it, and it runs as stock. */
  void refused() {
    if (queued) {
      queued = false;
      engine.load().dropped(costNanos);
    }
    if (local != null) {
      local.refused(engine);
    }
  }

  /** Records that a request of this node waits for it. */
  void local(LocalRead read) {
    local = read;
  }

  /** Whether another replica may answer it first, by a copy that its coordinator sends. */
  boolean mayBeCopied() {
    return local != null && local.mayBeCopied();
  }

  /** Cassandra's description of it for {@code system_views.queries}, or null. */
  DebuggableTask debuggable() {
    return task instanceof DebuggableTask ? (DebuggableTask) task : null;
  }

  /** The read that the calling thread runs, or null. */
  public static QueuedRead running() {
    return RUNNING.get();
  }

  /** Records the answer that is about to be sent. */
  public void answeredWith(ReadResponse response) {
    answered(SizeLearner.bytes(response));
  }

  // A digest has -1: the read was executed, but its size is unknown.
  private void answered(long bytes) {
    answerBytes = Math.max(answerBytes, Math.max(0, bytes));
  }

  /**
   * Runs it on the calling thread, unless its request has another replica's answer; exceptions are
   * Cassandra's to handle.
   */
  void run() {
    if (tied != null && !tied.start()) {
      engine.load().passedOver();
      passOver();
      return;
    }
    if (local != null && !local.start()) {
      engine.load().unserved();
      refused();
      return;
    }
    QueuedRead outer = RUNNING.get();
    long start = engine.clock().nanoTime();
    if (queued) {
      engine.load().started(costNanos);
    }
    RUNNING.set(this);
    try {
      runnable.run();
    } finally {
      RUNNING.set(outer);
      ended(start);
    }
  }

  /**
   * Skips its turn. A read received as a message releases the memory that its connection has
   * reserved.
   */
  private void passOver() {
    if (local != null) {
      local.passedOver(engine);
      return;
    }
    QueuedRead outer = RUNNING.get();
    passedOver = true;
    PASSING_OVER.incrementAndGet();
    RUNNING.set(this);
    try {
      runnable.run();
    } finally {
      RUNNING.set(outer);
      PASSING_OVER.decrementAndGet();
    }
  }

  private void ended(long startNanos) {
    long now = engine.clock().nanoTime();
    long outer = engine.guard().stalls().enter(now);
    try {
      served(startNanos, now);
      engine
          .log()
          .executed(
              now,
              startNanos - arrivalNanos,
              now - startNanos,
              forecastNanos(),
              isMeasuredSingle());
    } catch (Throwable t) {
      engine.guard().fault("the end of a read", t);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  private void served(long startNanos, long endNanos) {
    ReadResponse answer = null;
    try {
      answer = local == null ? null : local.answer();
      learn(answer, startNanos, endNanos);
    } finally {
      // Otherwise its ticket would count as a time-out of this node.
      if (local != null) {
        local.ended(engine, answer != null);
      }
    }
  }

  /** Learns from its end; the answer is null if it is not a local read, or has none. */
  void learn(ReadResponse answer, long startNanos, long endNanos) {
    if (answer != null) {
      long bytes = SizeLearner.bytes(answer);
      answered(bytes);
      if (singlePartition) {
        SizeLearner.learn(engine, keyHash, bytes);
      }
    } else if (answerBytes > 0 && singlePartition && engine.strategy().sizes() != null) {
      engine.strategy().sizes().learn(null, keyHash, answerBytes);
    }
    served = otherCost == null ? answerBytes >= 0 : startNanos - expiresNanos < 0;
    learn(endNanos, endNanos - startNanos);
    if (served) {
      engine.signs().answered(engine.self(), endNanos);
    }
    if (queued && served) {
      engine.ties().served();
    }
  }

  private void learn(long endNanos, long serviceNanos) {
    if (otherCost != null && served) {
      otherCost.learn(serviceNanos);
    }
    if (!isMeasuredSingle()) {
      if (queued) {
        engine.load().failed();
      }
      return;
    }
    boolean large =
        answerBytes == 0
            ? engine.strategy().isLarge(null, keyHash)
            : answerBytes >= engine.strategy().traits().largeAboveBytes();
    if (queued) {
      engine.load().finished(large, endNanos, serviceNanos, forecastNanos(), keyHash);
    } else {
      engine.load().sampled(large, endNanos, serviceNanos, forecastNanos(), keyHash);
    }
  }

  private boolean isMeasuredSingle() {
    return answerBytes >= 0 && singlePartition;
  }
}
