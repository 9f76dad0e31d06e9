/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/** A held read to another node. */
public final class HeldMessage extends HeldRead {
  private final Departures departures;
  private final Message<?> message;
  private final InetAddressAndPort to;
  private final int node;
  private final long costNanos;
  private final long keyHash;
  private volatile RequestCallback<?> callback;

  /**
   * @param engine the engine that planned it
   * @param message the message with its tag, if any
   * @param node the id of its endpoint
   */
  public HeldMessage(
      Engine engine,
      RequestHolds request,
      Departures departures,
      Message<?> message,
      InetAddressAndPort to,
      int node,
      long costNanos,
      long keyHash) {
    super(engine, request);
    this.departures = departures;
    this.message = message;
    this.to = to;
    this.node = node;
    this.costNanos = costNanos;
    this.keyHash = keyHash;
  }

  /** The id of its message. */
  public long id() {
    return message.id();
  }

  /** Its destination. */
  public InetAddressAndPort to() {
    return to;
  }

  /** The id of its destination. */
  public int node() {
    return node;
  }

  /** Without its callback its answer would be unknown; Cassandra handles an expired one. */
  @Override
  protected boolean take(boolean over) {
    if (message.expiresAtNanos() - engine().clock().nanoTime() <= 0) {
      return false;
    }
    callback = departures.take(message.id(), to);
    if (callback == null || isSpared(() -> departures.isAnswered(callback))) {
      return false;
    }
    return !over;
  }

  @Override
  protected int answers() {
    return departures.answers(message.id(), to);
  }

  @Override
  protected void count(Engine now) {
    long left = message.expiresAtNanos() - now.clock().nanoTime();
    now.sent(message.id(), node, costNanos, keyHash, Math.max(1, left));
  }

  @Override
  protected void go(Engine now) {
    try {
      departures.send(message, to, callback);
    } catch (Throwable t) {
      // Otherwise its request would wait until the time-out.
      departures.take(message.id(), to);
      callback.onFailure(to, RequestFailureReason.UNKNOWN);
      throw t;
    }
  }
}
