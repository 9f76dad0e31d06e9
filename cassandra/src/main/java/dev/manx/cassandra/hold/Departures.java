/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/** Sends held reads: the operations of Cassandra that holds need. Any thread. */
public interface Departures {
  /**
   * Removes the callback of a read that was not sent yet.
   *
   * @return null if it has ended, so that the read need not be sent
   */
  RequestCallback<?> take(long messageId, InetAddressAndPort to);

  /**
   * Number of replicas that have answered the request of a read that was not sent yet.
   *
   * @return a negative number if its callback has ended
   */
  int answers(long messageId, InetAddressAndPort to);

  /**
   * The same for a coordinator's own read.
   *
   * @param read Cassandra's own runnable of the read stage
   */
  int answers(Runnable read);

  /**
   * Whether as many replicas have answered as the request of a callback requires, so that none of
   * its other reads need be sent.
   */
  boolean isAnswered(RequestCallback<?> callback);

  /**
   * The same for a coordinator's own read.
   *
   * @param read Cassandra's own runnable of the read stage
   */
  boolean isAnswered(Runnable read);

  /**
   * Sends a read whose callback was removed: registers the callback again and sends the message
   * past Manx's filter. Id and expiry stay; the creation time is now, so that no statistic of the
   * node includes the hold.
   */
  void send(Message<?> message, InetAddressAndPort to, RequestCallback<?> callback);

  /**
   * Returns the runnable of the read stage as if its request had begun now, for the same reason;
   * its deadline stays.
   *
   * @param read Cassandra's own runnable of a coordinator's own read
   */
  Runnable later(Runnable read);

  /** The expiry of such a runnable, on the clock of Cassandra's time-outs. */
  long expiresAtNanos(Runnable read);
}
