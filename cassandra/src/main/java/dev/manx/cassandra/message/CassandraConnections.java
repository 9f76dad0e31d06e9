/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Collection;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.utils.FBUtilities;

/** The connections of a running node. */
final class CassandraConnections implements NodeConnections {
  @Override
  public InetAddressAndPort self() {
    return FBUtilities.getBroadcastAddressAndPort();
  }

  @Override
  public Collection<InetAddressAndPort> live() {
    return Gossiper.instance.getLiveMembers();
  }

  @Override
  public boolean isLive(InetAddressAndPort node) {
    // The failure detector would log an error for a node that has left.
    EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(node);
    return state != null && state.isAlive();
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to) {
    MessagingService.instance().send(message, to);
  }
}
