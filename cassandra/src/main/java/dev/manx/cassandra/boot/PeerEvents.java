/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
  private final Parts parts;
  private final Supplier<Strategy> strategies;
  private final Predicate<InetAddressAndPort> left;
  private final Set<InetAddressAndPort> ended = ConcurrentHashMap.newKeySet();

  /**
   * @param engines the present engine; null while Manx is off
   * @param parts the known facts of nodes, in any mode
   * @param strategies the present strategy, in any mode
   */
  PeerEvents(Supplier<Engine> engines, Parts parts, Supplier<Strategy> strategies) {
    this(engines, parts, strategies, PeerEvents::hasLeft);
  }

  /**
   * @param left whether a node has left the cluster
   */
  PeerEvents(
      Supplier<Engine> engines,
      Parts parts,
      Supplier<Strategy> strategies,
      Predicate<InetAddressAndPort> left) {
    this.engines = engines;
    this.parts = parts;
    this.strategies = strategies;
    this.left = left;
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
    for (InetAddressAndPort endpoint : parts.nodes.known().keySet()) {
      if (!endpoint.equals(FBUtilities.getBroadcastAddressAndPort()) && left.test(endpoint)) {
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
    List<Integer> near = new ArrayList<>();
    for (Map.Entry<InetAddressAndPort, Integer> node : engine.nodes().known().entrySet()) {
      if (isNear(snitch, node.getKey())) {
        near.add(node.getValue());
      }
    }
    return near;
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
    try {
      int node = parts.nodes.find(endpoint);
      if (node == Nodes.NONE) {
        return;
      }
      parts.signs.ended(node);
      parts.state.tickets().closeNode(node, ticket -> cancelled(engine, node, ticket));
      // The node may return without Manx.
      parts.signs.forget(node);
      if (gone) {
        forget(engine, endpoint, node);
      }
    } catch (Throwable t) {
      parts.guard.fault("the end of a peer", t);
    }
  }

  private void cancelled(Engine engine, int node, Ticket ticket) {
    if (engine == null) {
      parts.cancelled(ticket);
    } else {
      engine.ended(node, ticket, Outcome.CANCELLED);
    }
  }

  private void forget(Engine engine, InetAddressAndPort endpoint, int node) {
    parts.state.forget(node);
    parts.hops.forget(node);
    parts.pace.forget(node);
    // While Manx is off too: another node may get the id before Manx is on again.
    Strategy strategy = engine == null ? strategies.get() : engine.strategy();
    try {
      strategy.selector().forgotten(node);
    } finally {
      parts.nodes.release(endpoint);
    }
  }
}
