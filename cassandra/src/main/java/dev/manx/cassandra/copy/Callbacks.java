/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Cassandra's callbacks of this coordinator's reads. The callback of a read's first copy is a slot
 * that exactly one answer fills. Any thread.
 */
public interface Callbacks {
  /**
   * The replicas that Cassandra itself might send a read to, if one answer ends it.
   *
   * @param to the node that it was sent to
   * @return null if it has ended, needs the answers of more than one replica, was sent to more than
   *     one, or reads more than one partition
   */
  EndpointsForToken candidates(long messageId, InetAddressAndPort to);

  /** Whether a read that was sent to a node has neither an answer nor expired. */
  boolean awaits(long messageId, InetAddressAndPort to);

  /**
   * Fills the slot of a first copy with another replica's answer.
   *
   * @param filled runs once the slot is this answer's, before the request sees the answer
   * @return false if the slot was already filled, or has expired; the answer must then be dropped
   */
  boolean fill(long messageId, InetAddressAndPort to, Message<?> answer, Runnable filled);

  /** As the other method, for a read that the coordinator serves itself. */
  EndpointsForToken candidates(ReadCallback<?, ?> handler);

  /** Completes a read that the coordinator was to serve itself with another replica's answer. */
  void answer(ReadCallback<?, ?> handler, Message<?> answer);

  /**
   * Serves a read of another node on the read stage, and answers its sender, as if it had arrived
   * now.
   */
  void serve(Message<?> read);

  /** Runs a runnable of the read stage as if it had arrived now. */
  void serve(Runnable read);

  /** Records a node's response time in the statistics of the dynamic snitch, as Cassandra would. */
  void took(InetAddressAndPort node, long nanos);

  /** Whether a node is up, as far as this node knows. */
  boolean isAlive(InetAddressAndPort node);

  /** Sends a message. */
  void send(Message<?> message, InetAddressAndPort to);
}
