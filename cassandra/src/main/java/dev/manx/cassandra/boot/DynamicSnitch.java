/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.coordinate.ManxSnitch;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * Manx's snitch for nodes whose stock snitch is the dynamic snitch. In some places Cassandra checks
 * whether its snitch is of that class, to choose batchlog nodes by its scores and to change its
 * settings, so this class extends it and delegates every call.
 */
final class DynamicSnitch extends DynamicEndpointSnitch {
  private final DynamicEndpointSnitch stock;
  private final ManxSnitch manx;

  DynamicSnitch(DynamicEndpointSnitch stock, Supplier<Engine> engines) {
    // A separate bean name, since the stock snitch's is in use.
    super(stock.subsnitch, "manx");
    // Ends the timers and the bean that the constructor started: the stock snitch has its own.
    super.close();
    this.stock = stock;
    this.manx = new ManxSnitch(stock, engines);
  }

  /** Creates a snitch in front of another, as a dynamic snitch if the other is one. */
  static IEndpointSnitch inFrontOf(IEndpointSnitch stock, Supplier<Engine> engines) {
    return stock instanceof DynamicEndpointSnitch
        ? new DynamicSnitch((DynamicEndpointSnitch) stock, engines)
        : new ManxSnitch(stock, engines);
  }

  /** The snitch behind one of Manx's; null if it is not Manx's. */
  static IEndpointSnitch stockOf(IEndpointSnitch snitch) {
    if (snitch instanceof DynamicSnitch) {
      return ((DynamicSnitch) snitch).stock;
    }
    return snitch instanceof ManxSnitch ? ((ManxSnitch) snitch).stock() : null;
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    return manx.sortedByProximity(address, replicas);
  }

  @Override
  public void applyConfigChanges() {
    stock.applyConfigChanges();
  }

  @Override
  public void close() {
    stock.close();
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
