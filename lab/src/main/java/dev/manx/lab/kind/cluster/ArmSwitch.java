/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.NodeAdmin;
import java.util.LinkedHashMap;
import java.util.Map;

/** Switches every node to an arm and verifies the result. */
final class ArmSwitch {
  private static final String UPDATE = "UPDATE manx.strategy SET value = ? WHERE name = ?";

  private final LoadedClusters benches;

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
    for (Node node : bench.nodes()) {
      check(admin, node, arm);
    }
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
      check(bench.admin(), node, arm);
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

  private static void check(NodeAdmin admin, Node node, ClusterArm arm) {
    String mode = values(admin, node, "SELECT name, value FROM manx.strategy").get("mode");
    if (!arm.mode().label().equals(mode)) {
      throw new RunException(
          node.getEndPoint()
              + " should be in mode "
              + arm.mode().label()
              + " for arm "
              + arm.name()
              + " and says '"
              + mode
              + "': see its system.log");
    }
    for (Map<String, Object> row : admin.rows(node, "SELECT name, state, detail FROM manx.hooks")) {
      // In shadow mode the snitch is called but not replaced.
      boolean hooked =
          arm.mode() == ClusterArm.Mode.ON
              || arm.mode() == ClusterArm.Mode.SHADOW && !"snitch".equals(row.get("name"));
      boolean installed = "installed".equals(row.get("state"));
      if (installed != hooked) {
        throw new RunException(
            node.getEndPoint()
                + ": hook "
                + row.get("name")
                + " is '"
                + row.get("state")
                + "' ("
                + row.get("detail")
                + ") though arm "
                + arm.name()
                + " wants it "
                + (hooked ? "installed" : "out of the path"));
      }
    }
  }

  private static Map<String, String> values(NodeAdmin admin, Node node, String cql) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Map<String, Object> row : admin.rows(node, cql)) {
      values.put(String.valueOf(row.get("name")), String.valueOf(row.get("value")));
    }
    return values;
  }
}
