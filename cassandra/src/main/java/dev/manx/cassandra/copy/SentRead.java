/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** A read that was sent to a replica and may be sent to another one too. Any thread. */
public final class SentRead {
  /** How far a read is. */
  enum State {
    /** Neither copy has answered. */
    OPEN,
    /** The first copy ended, well or not, or the request gave the read up. */
    ENDED,
    /** The second copy's answer went to the request. */
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
  private volatile boolean copied;
  // The flight's own, behind its lock.
  boolean late;
  boolean waiting;
  // The timer's own.
  volatile long dueNanos;

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
    this.flight = flight;
    this.message = message;
    this.messageId = message.id();
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

  /** What it was ranked by: its priority, or its cost if it had none. */
  long rank() {
    return tagged ? priority : cost;
  }

  /** Whether no copy has answered yet. */
  boolean isOpen() {
    return state.get() == State.OPEN;
  }

  /** Whether the request has the second copy's answer. */
  boolean hasWon() {
    return state.get() == State.WON;
  }

  /** Closes it once; false if it was closed before. */
  boolean close(State end) {
    message = null;
    return state.compareAndSet(State.OPEN, end);
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
}
