/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.hold.HeldMessage;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/** A read that was sent to a replica and may also be sent to another. Any thread. */
public final class SentRead implements CopyTimer.Timed {
  /** The state of a read. */
  enum State {
    /** Neither copy has answered. */
    OPEN,
    /** A read at home that a thread has begun; neither copy has answered. */
    STARTED,
    /** The first copy ended, by an answer or a failure, or the request gave the read up. */
    ENDED,
    /** The second copy's answer went to the request, and the first one's end is still to come. */
    WON
  }

  final Flight flight;
  final long messageId;
  final InetAddressAndPort to;
  final int node;
  final InetAddressAndPort spare;
  final int spareNode;
  final long sentNanos;
  final long costNanos;
  final long cost;
  final long priority;
  final long slack;
  final Unit unit;
  final boolean tagged;
  final long keyHash;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private volatile Message<?> message;
  private volatile ReadCommand command;
  private volatile ReadCallback<?, ?> atHome;
  private volatile HeldMessage retry;
  private volatile boolean copied;
  private volatile boolean copiedByRetry;
  // Owned by the flight, behind its lock.
  boolean late;
  boolean waiting;
  // Its turn may have come, and the timer should check.
  boolean called;
  // Used by the timer only.
  private volatile long dueNanos;

  /**
   * Creates a read that was sent to another node.
   *
   * @param message the message without a tag
   */
  SentRead(
      Flight flight,
      Message<?> message,
      InetAddressAndPort to,
      int node,
      InetAddressAndPort spare,
      int spareNode,
      Request request,
      int read,
      long nowNanos) {
    this(
        flight,
        message.id(),
        message,
        null,
        null,
        to,
        node,
        spare,
        spareNode,
        request,
        read,
        nowNanos);
  }

  private SentRead(
      Flight flight,
      long messageId,
      Message<?> message,
      ReadCommand command,
      ReadCallback<?, ?> atHome,
      InetAddressAndPort to,
      int node,
      InetAddressAndPort spare,
      int spareNode,
      Request request,
      int read,
      long nowNanos) {
    this.flight = flight;
    this.message = message;
    this.command = command;
    this.atHome = atHome;
    this.messageId = messageId;
    this.to = to;
    this.node = node;
    this.spare = spare;
    this.spareNode = spareNode;
    this.sentNanos = nowNanos;
    this.costNanos = request.costNanos(read);
    this.cost = request.cost(read);
    this.priority = request.priority(read);
    this.slack = request.slack(read);
    this.unit = request.unit();
    this.tagged = request.tagged();
    this.keyHash = request.keyHash(read);
  }

  /**
   * Creates a read that waits for a thread of its coordinator.
   *
   * @param handler the callback that waits for it
   * @param ticket its ticket's id
   */
  static SentRead atHome(
      Flight flight,
      ReadCommand command,
      ReadCallback<?, ?> handler,
      long ticket,
      int node,
      InetAddressAndPort spare,
      int spareNode,
      Request request,
      int read,
      long nowNanos) {
    return new SentRead(
        flight, ticket, null, command, handler, null, node, spare, spareNode, request, read,
        nowNanos);
  }

  /** Its rank: its priority, or its cost if it had none. */
  long rank() {
    return tagged ? priority : cost;
  }

  /** Whether no copy has answered yet. */
  boolean isOpen() {
    State now = state.get();
    return now == State.OPEN || now == State.STARTED;
  }

  /** Whether it is a read at home that a thread has begun, and no copy has answered. */
  boolean isStarted() {
    return state.get() == State.STARTED;
  }

  /** Whether the request has the second copy's answer. */
  boolean hasWon() {
    return state.get() == State.WON;
  }

  /** Closes it once; false if it was already closed. */
  boolean close(State end) {
    boolean closed =
        state.compareAndSet(State.OPEN, end) || state.compareAndSet(State.STARTED, end);
    if (closed) {
      // The timer may keep it for a while. Released only now: threads that find it open need these.
      message = null;
      command = null;
      atHome = null;
      retry = null;
    }
    return closed;
  }

  /**
   * Called before a thread runs a read at home.
   *
   * @return false if the request has the second copy's answer, so that the read need not run
   */
  public boolean start() {
    return state.compareAndSet(State.OPEN, State.STARTED) || !hasWon();
  }

  /** Whether it was not sent but waits for a thread of its coordinator. */
  boolean isAtHome() {
    return to == null;
  }

  /** The callback that waits for a read at home; null only once it is closed. */
  ReadCallback<?, ?> handler() {
    return atHome;
  }

  /** The command of a read at home; null once it is closed. */
  ReadCommand command() {
    return command;
  }

  /** The first copy's message, without a tag; null once the read is closed. */
  Message<?> message() {
    return message;
  }

  /** Whether a second copy was sent. */
  boolean isCopied() {
    return copied;
  }

  void copied() {
    copied = true;
  }

  /** Records that stock's retry is sent as its second copy. */
  void copiedByRetry() {
    copiedByRetry = true;
    copied = true;
  }

  /** Takes that back: the retry was not sent as its copy. */
  void notCopied() {
    copied = false;
    copiedByRetry = false;
  }

  /** Whether its second copy is stock's retry, whose callback is Cassandra's. */
  boolean isCopiedByRetry() {
    return copiedByRetry;
  }

  /** Records that stock's retry of it waits at this coordinator. */
  void retryWaits(HeldMessage held) {
    retry = held;
    if (!isOpen()) {
      retry = null;
    }
  }

  /** Stock's retry of it, until that has left this coordinator; null for none. */
  HeldMessage heldRetry() {
    HeldMessage held = retry;
    return held != null && !held.isGone() ? held : null;
  }

  @Override
  public long dueNanos() {
    return dueNanos;
  }

  @Override
  public void dueNanos(long nanos) {
    dueNanos = nanos;
  }
}
