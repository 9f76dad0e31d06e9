/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The division of a cluster's nodes: consecutive nodes are in different datacenters, and nodes of
 * one datacenter in different racks, so that all parts of the ring are shared equally.
 *
 * @param datacenters number, named {@code datacenter1} and up
 * @param racks of each datacenter, named {@code rack1} and up
 */
public record Topology(int datacenters, int racks) {
  /** One datacenter with one rack, the default. */
  public static final Topology ONE = new Topology(1, 1);

  /** Whether the nodes are divided. */
  public boolean isDivided() {
    return datacenters > 1 || racks > 1;
  }

  /** The datacenter of a node, from 1; nodes are numbered from 1. */
  public int datacenterOf(int node) {
    return (node - 1) % datacenters + 1;
  }

  /** The rack of a node, from 1, in its datacenter. */
  public int rackOf(int node) {
    return (node - 1) / datacenters % racks + 1;
  }

  /** The contents of a node's {@code cassandra-rackdc.properties}. */
  String properties(int node) {
    return "dc=datacenter%d%nrack=rack%d%n".formatted(datacenterOf(node), rackOf(node));
  }

  /**
   * The {@code replication} of a keyspace.
   *
   * @param factor replicas in each datacenter
   */
  public String replication(int factor) {
    if (!isDivided()) {
      return "{'class': 'SimpleStrategy', 'replication_factor': " + factor + "}";
    }
    return IntStream.rangeClosed(1, datacenters)
        .mapToObj(datacenter -> ", 'datacenter" + datacenter + "': " + factor)
        .collect(Collectors.joining("", "{'class': 'NetworkTopologyStrategy'", "}"));
  }

  /** A description for users: {@code 2 datacenters of 2 racks}. */
  public String words() {
    return plural(datacenters, "datacenter") + " of " + plural(racks, "rack");
  }

  private static String plural(int count, String word) {
    return count + " " + word + (count == 1 ? "" : "s");
  }
}
