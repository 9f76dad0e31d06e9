/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.nodes.Nodes;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Closes the tickets of a peer that dies, restarts or leaves, and forgets one that left. Gossip has
 * one thread, which only records the event here: a policy that blocks must not delay it.
 */
final class PeerEvents implements IEndpointStateChangeSubscriber {
  private final Supplier<Engine> engines;
  private final Set<InetAddressAndPort> ended = ConcurrentHashMap.newKeySet();

  PeerEvents(Supplier<Engine> engines) {
    this.engines = engines;
  }

  @Override
  public void onDead(InetAddressAndPort endpoint, EndpointState state) {
    ended.add(endpoint);
  }

  @Override
  public void onRestart(InetAddressAndPort endpoint, EndpointState state) {
    ended.add(endpoint);
  }

  @Override
  public void onRemove(InetAddressAndPort endpoint) {
    ended.add(endpoint);
  }

  /** Closes the tickets of peers that died, restarted or left since the last call. */
  void closeEnded() {
    for (InetAddressAndPort endpoint : ended) {
      ended.remove(endpoint);
      close(endpoint, false);
    }
  }

  /**
   * Forgets nodes that left while Manx was not listening, or that had a read planned after {@link
   * #onRemove}: the ring keeps a node for some time after gossip has removed it.
   */
  void sweep() {
    Engine engine = engines.get();
    if (engine == null) {
      return;
    }
    for (InetAddressAndPort endpoint : engine.nodes().all().keySet()) {
      if (!endpoint.equals(FBUtilities.getBroadcastAddressAndPort()) && hasLeft(endpoint)) {
        close(endpoint, true);
      }
    }
  }

  /** Gossip remembers for days that a node left. */
  private static boolean hasLeft(InetAddressAndPort endpoint) {
    EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(endpoint);
    if (state == null) {
      return true;
    }
    String status = state.getStatus();
    return status.equals(VersionedValue.STATUS_LEFT) || status.equals(VersionedValue.REMOVED_TOKEN);
  }

  /** The nodes of this node's datacenter. */
  static Collection<Integer> near(Engine engine) {
    IEndpointSnitch snitch = engine.stockSnitch();
    Map<InetAddressAndPort, Integer> near = engine.nodes().all();
    near.keySet().removeIf(endpoint -> !isNear(snitch, endpoint));
    return near.values();
  }

  /** A snitch may throw for a node that is not yet in its file; such a node counts as far. */
  static boolean isNear(IEndpointSnitch snitch, InetAddressAndPort endpoint) {
    try {
      return snitch.getDatacenter(endpoint).equals(snitch.getLocalDatacenter());
    } catch (RuntimeException e) {
      return false;
    }
  }

  private void close(InetAddressAndPort endpoint, boolean gone) {
    Engine engine = engines.get();
    if (engine == null) {
      return;
    }
    try {
      int node = engine.nodes().find(endpoint);
      if (node == Nodes.NONE) {
        return;
      }
      engine.signs().ended(node);
      engine.state().tickets().closeNode(node, t -> engine.ended(node, t, Outcome.CANCELLED));
      // The node may return without Manx.
      engine.signs().forget(node);
      if (gone) {
        engine.state().forget(node);
        engine.hops().forget(node);
        engine.pace().forget(node);
        try {
          engine.strategy().selector().forgotten(node);
        } finally {
          engine.nodes().release(endpoint);
        }
      }
    } catch (Throwable t) {
      engine.guard().fault("the end of a peer", t);
    }
  }
}
