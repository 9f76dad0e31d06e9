/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.local.cluster.Node;

/** Takes the dynamic snitch of a running node away, or puts it back, as nodetool would. */
final class SnitchSwitch {
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";

  private SnitchSwitch() {}

  /**
   * Sets it on one node.
   *
   * @param snitch the class name of the snitch below it, which stays as it is
   * @param dynamic whether the node shall have one
   * @throws dev.manx.lab.experiment.RunException if the node cannot be asked or refuses
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
