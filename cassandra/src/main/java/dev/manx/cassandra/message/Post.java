/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Collection;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** The node's connections to others. Any thread. */
interface Post {
  /** This node's own address. */
  InetAddressAndPort self();

  /** The nodes that gossip holds to be alive, perhaps with this one. */
  Collection<InetAddressAndPort> live();

  /** Whether gossip holds a node to be alive; a message to another one would wait for it. */
  boolean isLive(InetAddressAndPort node);

  /** Hands a message to the connection; it may be lost. */
  void send(Message<?> message, InetAddressAndPort to);
}
