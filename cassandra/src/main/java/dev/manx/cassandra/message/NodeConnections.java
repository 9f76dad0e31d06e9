/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Collection;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** The node's connections to others. Any thread. */
interface NodeConnections {
  /** This node's own address. */
  InetAddressAndPort self();

  /** The nodes that gossip considers alive, possibly including this one. */
  Collection<InetAddressAndPort> live();

  /** Whether gossip considers a node alive; a message to another node would wait for it. */
  boolean isLive(InetAddressAndPort node);

  /** Passes a message to the connection; it may be lost. */
  void send(Message<?> message, InetAddressAndPort to);
}
