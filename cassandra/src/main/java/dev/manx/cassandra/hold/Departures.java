/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.RequestCallback;

/** How a read leaves that was held: what holds need of Cassandra. Any thread. */
public interface Departures {
  /**
   * Takes the callback of a read away that was not sent yet.
   *
   * @return null if it has ended, so that the read need not be sent
   */
  RequestCallback<?> take(long messageId, InetAddressAndPort to);

  /**
   * Sends a read whose callback was taken: registers the callback anew and sends the message past
   * Manx's own filter. Id and expiry stay; the read counts as created now, so that no statistic of
   * its node includes the hold.
   */
  void send(Message<?> message, InetAddressAndPort to, RequestCallback<?> callback);

  /**
   * The same runnable of the read stage as if its request had begun now, for the same reason; its
   * deadline stays.
   *
   * @param read Cassandra's own runnable of a coordinator's own read
   */
  Runnable later(Runnable read);

  /** When such a runnable expires, on the clock of Cassandra's time-outs. */
  long expiresAtNanos(Runnable read);
}
