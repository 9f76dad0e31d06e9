/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import dev.manx.policy.hold.RoutedOp;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A read that waits at its coordinator. It is released exactly once, by any thread, and in two
 * steps, because policy code runs between them and may not return.
 */
public abstract class HeldRead extends RoutedOp implements Comparable<HeldRead> {
  private enum State {
    /** It waits. */
    HELD,
    /** A thread checks whether it is still wanted. */
    TAKEN,
    /** It is wanted, and policies are notified of it. */
    LEAVING,
    /** It was sent, or was not wanted. */
    GONE
  }

  private final Engine engine;
  private final RequestHolds request;
  private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
  // Written and read by the thread that brought it to the gate.
  private boolean passed;
  private long dueNanos;
  private long sequence;

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
   * Whether it should still be sent; called once. Afterwards only the caller may end it.
   *
   * @param over whether its request has ended
   */
  protected abstract boolean take(boolean over);

  /** Opens its ticket and notifies policies of it, which may throw or never return. */
  protected abstract void count(Engine now) throws Throwable;

  /**
   * Sends it.
   *
   * @param now the present engine; null while Manx is off
   */
  protected abstract void go(Engine now);

  /** Claims it for sending; false if another thread did. */
  final boolean claim() {
    return state.compareAndSet(State.HELD, State.TAKEN);
  }

  /** Makes the thread that brought it send it at once, like any read. */
  final void pass() {
    passed |= state.compareAndSet(State.HELD, State.GONE);
  }

  /** Whether the thread that brought it must send it. */
  final boolean hasPassed() {
    return passed;
  }

  /** Whether it still waits. */
  final boolean isHeld() {
    return state.get() == State.HELD;
  }

  /** Whether it was sent, or was not wanted. */
  final boolean isGone() {
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

  /** Sets its time of release, before it is shared. */
  final void due(long nanos, long number) {
    dueNanos = nanos;
    sequence = number;
  }

  final long dueNanos() {
    return dueNanos;
  }

  @Override
  public final int compareTo(HeldRead other) {
    int byTime = Long.signum(dueNanos - other.dueNanos);
    return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime;
  }

  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  @Override
  public final int hashCode() {
    return System.identityHashCode(this);
  }
}
