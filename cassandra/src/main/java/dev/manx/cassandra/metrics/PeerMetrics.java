/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Metrics of each node as seen by this coordinator, including itself, until the node leaves. */
final class PeerMetrics {
  /** Most peers with metrics; {@code manx.replicas} has all. */
  static final int MOST = 128;

  private static final double MICRO = 1e3;

  private final Registered registered;
  private final Nodes nodes;
  private final ClusterView view;
  private final LongSupplier clock;
  private final Set<InetAddressAndPort> known = new HashSet<>();

  PeerMetrics(Registered registered, Nodes nodes, ClusterView view, LongSupplier clock) {
    this.registered = registered;
    this.nodes = nodes;
    this.view = view;
    this.clock = clock;
  }

  void refresh() {
    Set<InetAddressAndPort> seen = nodes.all().keySet();
    known.removeIf(
        endpoint -> {
          boolean gone = !seen.contains(endpoint);
          if (gone) {
            gauges(endpoint).keySet().forEach(name -> registered.remove(name, keys(endpoint)));
          }
          return gone;
        });
    for (InetAddressAndPort endpoint : seen) {
      if (known.size() < MOST && known.add(endpoint)) {
        gauges(endpoint)
            .forEach(
                (name, value) -> registered.add(name, NodeMetrics.gauge(value), keys(endpoint)));
      }
    }
  }

  private static String[] keys(InetAddressAndPort endpoint) {
    return new String[] {"peer", endpoint.getHostAddressAndPortForJMX()};
  }

  private Map<String, Supplier<Number>> gauges(InetAddressAndPort endpoint) {
    Map<String, Supplier<Number>> gauges = new LinkedHashMap<>();
    gauges.put("PeerHopPrice", () -> fact(endpoint, FactColumn.HOP_PRICE, MICRO));
    gauges.put("PeerSlowness", () -> fact(endpoint, FactColumn.SLOWNESS, 1e3));
    gauges.put("PeerServiceTime", () -> fact(endpoint, FactColumn.SERVICE_TIME, MICRO));
    gauges.put("PeerWorkAhead", () -> fact(endpoint, FactColumn.WORK_AHEAD, MICRO));
    gauges.put("PeerOutstandingReads", () -> outstanding(endpoint));
    gauges.put("PeerFactsAge", () -> ageSeconds(endpoint));
    return gauges;
  }

  /** The last value that the peer reported, divided by a unit; NaN if it reported none. */
  private Number fact(InetAddressAndPort endpoint, FactColumn column, double unit) {
    int node = nodes.find(endpoint);
    if (node == Nodes.NONE || view.ageNanos(column, node, clock.getAsLong()) == ClusterView.NEVER) {
      return Double.NaN;
    }
    return view.value(column, node) / unit;
  }

  private Number outstanding(InetAddressAndPort endpoint) {
    int node = nodes.find(endpoint);
    return node == Nodes.NONE ? 0 : view.outstandingReads(node);
  }

  private Number ageSeconds(InetAddressAndPort endpoint) {
    int node = nodes.find(endpoint);
    long youngest = ClusterView.NEVER;
    for (FactColumn column : FactColumn.values()) {
      // A price is this node's own value: its age does not show when the peer last reported.
      if (node != Nodes.NONE && column != FactColumn.HOP_PRICE) {
        youngest = Math.min(youngest, view.ageNanos(column, node, clock.getAsLong()));
      }
    }
    return youngest == ClusterView.NEVER ? Double.NaN : youngest / 1e9;
  }
}
