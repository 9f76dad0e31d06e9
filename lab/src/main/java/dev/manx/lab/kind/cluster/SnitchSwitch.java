/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.local.cluster.Node;

/** Removes the dynamic snitch of a running node or restores it, like nodetool. */
final class SnitchSwitch {
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";

  private SnitchSwitch() {}

  /**
   * Sets it on one node.
   *
   * @param snitch the class name of the snitch below it, which stays as it is
   * @param dynamic whether the node should have one
   * @throws dev.manx.lab.experiment.RunException if the node cannot be reached or refuses
   */
  static void set(Node node, String snitch, boolean dynamic) {
    NodeJmx.invoke(
        node,
        SERVICE,
        "updateSnitch",
        new Object[] {snitch, dynamic, null, null, null},
        String.class.getName(),
        Boolean.class.getName(),
        Integer.class.getName(),
        Integer.class.getName(),
        Double.class.getName());
  }
}
