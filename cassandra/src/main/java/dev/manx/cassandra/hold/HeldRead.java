/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import dev.manx.policy.hold.RoutedOp;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A read that waits at its coordinator. It is released exactly once, by any thread, and in two
 * steps, because policy code runs between them and may not return.
 */
public abstract class HeldRead extends RoutedOp {
  private enum State {
    /** The read waits. */
    HELD,
    /** A thread checks whether the read is still wanted. */
    TAKEN,
    /** The read is wanted, and policies are notified of it. */
    LEAVING,
    /** The read was sent, or was not wanted. */
    GONE
  }

  /** A policy of an earlier strategy that takes this long for a read may never return. */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Engine engine;
  private final RequestHolds request;
  // The engine whose policies are or were notified of the read, and since when; the time is written
  // first.
  private volatile Engine notified;
  private long notifiedNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
  // Written and read by the thread that brought the read to the gate.
  private boolean passed;
  private volatile HoldTimer.Place place;
  // Null unless the read is a retry; set before the read is shared.
  private HeldWhile condition;
  private long leavesAtNanos;
  private volatile boolean spared;

  /**
   * @param engine the engine that planned it
   * @param request whether its request still waits for it
   */
  protected HeldRead(Engine engine, RequestHolds request) {
    this.engine = engine;
    this.request = request;
  }

  /** The engine that planned it. */
  protected final Engine engine() {
    return engine;
  }

  /**
   * Decides whether the read should still be sent; called once. Afterwards only the caller may end
   * the read.
   *
   * @param over whether its request has ended
   */
  protected abstract boolean take(boolean over);

  /** Number of replicas that have answered its read; negative if its callback has ended. */
  protected abstract int answers();

  /** Opens the read's ticket and notifies policies of the read; they may throw or never return. */
  protected abstract void count(Engine now) throws Throwable;

  /**
   * Sends the read.
   *
   * @param now the present engine; null while Manx is off
   */
  protected abstract void go(Engine now);

  /**
   * Makes the read a retry: it waits while a condition is true, and is not sent if other replicas
   * have answered meanwhile.
   *
   * @param atLatestNanos when it leaves in any case
   */
  final void retries(HeldWhile whileTrue, long atLatestNanos) {
    condition = whileTrue;
    leavesAtNanos = atLatestNanos;
  }

  /** Whether this is a retry of a read that was sent before. */
  final boolean isRetry() {
    return condition != null;
  }

  /** The time until the next decision about a retry; 0 if it should leave now. */
  final long waitsNanos(long nowNanos) {
    long most = leftNanos(nowNanos, Long.MAX_VALUE);
    if (most == 0 || request.isOver()) {
      return 0;
    }
    return Math.min(most, condition.waitsNanos(nowNanos, answers()));
  }

  /** A time, at most until a retry leaves in any case; 0 if it should have left. */
  final long leftNanos(long nowNanos, long nanos) {
    return Math.max(0, Math.min(nanos, leavesAtNanos - nowNanos));
  }

  /**
   * Whether this is a retry of a read that is now answered, so that it is not sent; false if that
   * is unknown.
   */
  protected final boolean isSpared(BooleanSupplier answered) {
    try {
      if (isRetry() && answered.getAsBoolean()) {
        spared = true;
      }
    } catch (Throwable t) {
      engine.guard().survived("the answers of a retried read", t);
    }
    return spared;
  }

  /** Whether the retry was not sent because its read was answered. */
  final boolean wasSpared() {
    return spared;
  }

  /** Claims the read for sending; false if another thread did. */
  final boolean claim() {
    return state.compareAndSet(State.HELD, State.TAKEN);
  }

  /** Lets a claimed read wait again. */
  final void unclaim() {
    state.compareAndSet(State.TAKEN, State.HELD);
  }

  /** Makes the thread that brought the read send it at once, like any read. */
  final void pass() {
    passed |= state.compareAndSet(State.HELD, State.GONE);
  }

  /** Whether the thread that brought the read must send it. */
  final boolean hasPassed() {
    return passed;
  }

  /** Whether the read still waits. */
  public final boolean isHeld() {
    return state.get() == State.HELD;
  }

  /** Records the engine whose policies are notified of the read. */
  final void reportedTo(Engine now, long nowNanos) {
    notifiedNanos = nowNanos;
    notified = now;
  }

  /**
   * Whether a policy of an engine other than the present one has been handling the notification for
   * so long that it may never return. Before that, and with the present engine, the notifying
   * thread sends the read, with a ticket.
   */
  final boolean isKeptByOtherThan(Engine now, long nowNanos) {
    Engine known = notified;
    return known != null && known != now && nowNanos - notifiedNanos >= KEPT_NANOS;
  }

  @Override
  public final boolean isAwaited() {
    return !request.isOver();
  }

  /** Whether the read was sent, or was not wanted. */
  public final boolean isGone() {
    return state.get() == State.GONE;
  }

  /** Whether a claimed read must be sent; if not, it has ended. */
  final boolean isWanted() {
    boolean wanted = false;
    try {
      wanted = take(request.isOver());
    } finally {
      state.set(wanted ? State.LEAVING : State.GONE);
    }
    if (!wanted && isRetry()) {
      condition.unsent();
    }
    return wanted;
  }

  /** Sends a wanted read, unless another thread did. */
  final void end(Engine now) {
    if (state.compareAndSet(State.LEAVING, State.GONE)) {
      go(now);
    }
  }

  /**
   * Sets the values by which a gate ranks it.
   *
   * @param to the only node that it may go to
   */
  public final void ranked(
      int to, long rank, long slackOfRequest, long cost, long idOfRequest, long nowNanos) {
    clearNodes();
    addNode(to);
    priority = rank;
    slack = slackOfRequest;
    costNanos = cost;
    requestId = idOfRequest;
    arrivalNanos = nowNanos;
  }

  /** The read's place among the waiting reads; null before it has one. */
  final HoldTimer.Place place() {
    return place;
  }

  /** Gives the read a place. */
  final void place(HoldTimer.Place among) {
    place = among;
  }
}
