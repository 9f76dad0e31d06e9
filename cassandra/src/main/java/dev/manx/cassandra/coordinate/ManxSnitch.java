/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Request;
import dev.manx.policy.select.HomeFirst;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A snitch in front of the node's that orders the replicas of planned reads as ranked by the plan;
 * while no read waits anywhere, it keeps reads at home that the stock snitch would send away
 * without benefit ({@link HomeFirst}). All other reads (range reads, counters, repair, other
 * threads) get the stock snitch's order.
 */
public final class ManxSnitch implements IEndpointSnitch {
  private final IEndpointSnitch stock;
  private final Supplier<Engine> engines;

  /**
   * @param stock the snitch in use so far
   * @param engines the present engine; null while Manx is off
   */
  public ManxSnitch(IEndpointSnitch stock, Supplier<Engine> engines) {
    this.stock = stock;
    this.engines = engines;
  }

  /** The snitch behind this one. */
  public IEndpointSnitch stock() {
    return stock;
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    if (replicas instanceof EndpointsForToken && replicas.size() > 1) {
      Engine engine = engines.get();
      ThreadPlan plan = ThreadPlan.current();
      if (engine != null && (plan.isOpen() || plan.staysHome())) {
        @SuppressWarnings("unchecked")
        C ordered = (C) ordered(engine, plan, address, (EndpointsForToken) replicas);
        return ordered;
      }
    }
    return stock.sortedByProximity(address, replicas);
  }

  private EndpointsForToken ordered(
      Engine engine, ThreadPlan plan, InetAddressAndPort address, EndpointsForToken replicas) {
    EndpointsForToken sorted = null;
    try {
      int read =
          plan.isOpen() && address.equals(FBUtilities.getBroadcastAddressAndPort())
              ? plan.readToSelect(replicas.token())
              : -1;
      if (read >= 0) {
        EndpointsForToken known = plan.takeStockOrder(read);
        sorted = isSame(known, replicas) ? known : null;
        EndpointsForToken planned =
            plan.isActing() ? planned(engine, plan, read, replicas, sorted) : null;
        if (planned != null) {
          return planned;
        }
      }
    } catch (Throwable t) {
      engine.guard().fault("the order of replicas", t);
    }
    if (sorted == null) {
      sorted = stock.sortedByProximity(address, replicas);
    }
    try {
      return plan.staysHome() ? home(engine, plan, address, sorted) : sorted;
    } catch (Throwable t) {
      engine.guard().fault("the order of replicas", t);
      return sorted;
    }
  }

  /** Whether both lists have the same replicas, regardless of their order. */
  private static boolean isSame(EndpointsForToken known, EndpointsForToken replicas) {
    if (known == null || known.size() != replicas.size()) {
      return false;
    }
    for (int i = 0; i < replicas.size(); i++) {
      Replica replica = replicas.get(i);
      boolean found = false;
      for (int j = 0; j < replicas.size() && !found; j++) {
        found = known.get(j).equals(replica);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replicas in stock's order, except that this node comes first if the read should stay at home.
   */
  private static EndpointsForToken home(
      Engine engine, ThreadPlan plan, InetAddressAndPort address, EndpointsForToken sorted) {
    Replica first = sorted.get(0);
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    if (first.endpoint().equals(self)
        || !address.equals(self)
        || !holds(sorted, self)
        || !plan.keepHome(engine.home().readsKept(engine.nodes().id(first.endpoint())))) {
      return sorted;
    }
    engine.counters().count(Counter.READS_KEPT_HOME);
    // Stable: the others keep their order.
    return sorted.sorted(
        (a, b) -> Boolean.compare(b.endpoint().equals(self), a.endpoint().equals(self)));
  }

  /** Whether a node has all the data rather than only recent writes. */
  private static boolean holds(EndpointsForToken replicas, InetAddressAndPort node) {
    for (Replica replica : replicas) {
      if (replica.endpoint().equals(node)) {
        return replica.isFull();
      }
    }
    return false;
  }

  /**
   * Replicas as ranked by the plan; null if it ranked others.
   *
   * @param sorted these replicas in stock's order; null if unknown
   */
  private static EndpointsForToken planned(
      Engine engine,
      ThreadPlan plan,
      int read,
      EndpointsForToken replicas,
      EndpointsForToken sorted) {
    Request request = plan.request();
    if (sorted == null) {
      int ranked = 0;
      for (int i = 0; i < replicas.size(); i++) {
        ranked += rank(engine, request, read, replicas.get(i)) < Integer.MAX_VALUE ? 1 : 0;
      }
      // The plan ranked the replicas alive a moment ago; if the ring has changed since, stock
      // decides.
      if (ranked != request.replicaCount(read)) {
        return null;
      }
    }
    engine.counters().count(Counter.SELECT_APPLIED);
    return sorted != null && plan.keepsStockOrder(read)
        ? sorted
        : replicas.sorted(
            (a, b) ->
                Integer.compare(rank(engine, request, read, a), rank(engine, request, read, b)));
  }

  private static int rank(Engine engine, Request request, int read, Replica replica) {
    int node = engine.nodes().id(replica.endpoint());
    for (int rank = 0, n = request.replicaCount(read); rank < n; rank++) {
      if (request.replica(read, rank) == node) {
        return rank;
      }
    }
    return Integer.MAX_VALUE;
  }

  @Override
  public String getRack(InetAddressAndPort endpoint) {
    return stock.getRack(endpoint);
  }

  @Override
  public String getLocalRack() {
    return stock.getLocalRack();
  }

  @Override
  public String getDatacenter(InetAddressAndPort endpoint) {
    return stock.getDatacenter(endpoint);
  }

  @Override
  public String getDatacenter(InetSocketAddress endpoint) {
    return stock.getDatacenter(endpoint);
  }

  @Override
  public String getDatacenter(Replica replica) {
    return stock.getDatacenter(replica);
  }

  @Override
  public String getLocalDatacenter() {
    return stock.getLocalDatacenter();
  }

  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica a, Replica b) {
    return stock.compareEndpoints(target, a, b);
  }

  @Override
  public void gossiperStarting() {
    stock.gossiperStarting();
  }

  @Override
  public boolean isWorthMergingForRangeQuery(
      ReplicaCollection<?> merged, ReplicaCollection<?> l1, ReplicaCollection<?> l2) {
    return stock.isWorthMergingForRangeQuery(merged, l1, l2);
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return stock.validate(datacenters, racks);
  }
}
