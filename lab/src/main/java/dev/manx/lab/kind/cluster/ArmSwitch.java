/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.NodeAdmin;
import dev.manx.operate.look.NodeState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Switches every node to an arm, and verifies that it runs the arm then and later. */
final class ArmSwitch {
  private static final String UPDATE = "UPDATE manx.strategy SET value = ? WHERE name = ?";

  private final LoadedClusters benches;
  private final Map<LoadedCluster, ArmCheck> checks = new ConcurrentHashMap<>();

  ArmSwitch(LoadedClusters benches) {
    this.benches = benches;
  }

  /**
   * Returns once every node reports the arm's settings.
   *
   * @throws RunException if a node refuses, does not switch, or has a failed hook
   */
  void to(ClusterArm arm) {
    LoadedCluster bench = benches.of(arm);
    NodeAdmin admin = bench.admin();
    if (!bench.cluster().settings().plugin()) {
      bench.nodes().forEach(node -> checkAbsent(admin, node, arm));
      bench.stock(arm.stock());
      bench.latenciesOf(arm.name());
      return;
    }
    // Manx wraps the dynamic snitch, which can be replaced only while Manx is off.
    bench.nodes().forEach(node -> set(admin, node, arm, "mode", ClusterArm.Mode.OFF.label()));
    bench.stock(arm.stock());
    bench.latenciesOf(arm.name());
    bench.nodes().forEach(node -> set(admin, node, arm));
    for (int i = 0; i < bench.nodes().size(); i++) {
      check(bench).set(arm, i, state(bench, i));
    }
  }

  /**
   * Returns if every node has run the arm, as {@link #still(ClusterArm, NodePresence)} does, for a
   * cluster without nodes that are down.
   */
  void still(ClusterArm arm) {
    still(arm, new NodePresence(System::nanoTime));
  }

  /**
   * Returns if every node has run the arm since it was switched to it.
   *
   * @param presence knows which nodes cannot be queried; they are left out
   * @throws RunException if a node ran as stock, at least for a while
   */
  void still(ClusterArm arm, NodePresence presence) {
    LoadedCluster bench = benches.of(arm);
    if (bench.cluster().settings().plugin()) {
      for (int i = 0; i < bench.nodes().size(); i++) {
        int index = i;
        presence
            .ask(index + 1, () -> state(bench, index))
            .ifPresent(state -> check(bench).still(arm, index, state));
      }
    }
  }

  private ArmCheck check(LoadedCluster bench) {
    return checks.computeIfAbsent(bench, any -> new ArmCheck());
  }

  private static NodeState state(LoadedCluster bench, int index) {
    Node node = bench.nodes().get(index);
    return NodeState.read(
        node.getEndPoint().toString(),
        String.valueOf(node.getDatacenter()),
        cql -> bench.admin().rows(node, cql),
        System::nanoTime);
  }

  /**
   * Switches one node after a restart.
   *
   * @param index of the node, from 0
   */
  void again(ClusterArm arm, int index) {
    LoadedCluster bench = benches.of(arm);
    Node node = bench.nodes().get(index);
    if (bench.cluster().settings().plugin()) {
      set(bench.admin(), node, arm);
      check(bench).set(arm, index, state(bench, index));
    }
    bench.stockAgain(index, arm.stock());
  }

  private static void set(NodeAdmin admin, Node node, ClusterArm arm) {
    if (arm.acts()) {
      set(admin, node, arm, "document", arm.document());
    }
    set(admin, node, arm, "mode", arm.mode().label());
  }

  private static void set(NodeAdmin admin, Node node, ClusterArm arm, String name, String value) {
    try {
      admin.execute(node, UPDATE, value, name);
    } catch (DriverException e) {
      throw new RunException(
          node.getEndPoint() + " refuses arm " + arm.name() + ": " + e.getMessage(), e);
    }
  }

  private static void checkAbsent(NodeAdmin admin, Node node, ClusterArm arm) {
    String cql = "SELECT keyspace_name FROM system_virtual_schema.keyspaces";
    if (admin.rows(node, cql).stream().anyMatch(row -> "manx".equals(row.get("keyspace_name")))) {
      throw new RunException(
          node.getEndPoint() + " has the plugin, though arm " + arm.name() + " wants none");
    }
  }
}
