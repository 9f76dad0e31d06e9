/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.warm;

import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Slowness of the nodes as seen by one coordinator: real over forecast service time, of nodes with
 * recent reports.
 *
 * @param slowness by address and port for other nodes; 1 is as forecast
 * @param refusal the reason why the user may not read it; empty if permitted
 */
record Sight(Map<String, Double> slowness, String refusal) {
  // Excludes reports from before a restart, which takes longer than this.
  private static final long LATELY_MILLIS = 10_000;
  private static final String QUERY = "SELECT address, slowness, facts_age_ms FROM manx.replicas";

  /** The view of a coordinator without data. */
  static final Sight NONE = new Sight(Map.of(), "");

  /** Reads a coordinator; without slowness if it does not answer or the user has no permission. */
  static Sight of(NodeState.Question coordinator) {
    try {
      return of(coordinator.rows(QUERY));
    } catch (NodeException e) {
      return e.kind() == NodeException.Kind.FORBIDDEN
          ? new Sight(
              Map.of(),
              "this user may not read manx.replicas; a superuser can grant it: GRANT SELECT ON TABLE"
                  + " manx.replicas TO the user ("
                  + e.getMessage()
                  + ")")
          : NONE;
    }
  }

  static Sight of(List<Map<String, Object>> rows) {
    Map<String, Double> slowness = new HashMap<>();
    for (Map<String, Object> row : rows) {
      Long thousandths = (Long) row.get("slowness");
      Long age = (Long) row.get("facts_age_ms");
      if (thousandths != null && thousandths > 0 && age != null && age <= LATELY_MILLIS) {
        slowness.put(row.get("address").toString(), thousandths / 1e3);
      }
    }
    return new Sight(slowness, "");
  }

  /**
   * The slowness of a node relative to the others; 1 is equal.
   *
   * @param node its address and port for other nodes
   * @param others those of the nodes to compare with
   * @return empty without recent reports of the node or of the others
   */
  OptionalDouble ratio(String node, List<String> others) {
    double[] known =
        others.stream()
            .map(slowness::get)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return known.length == 0 || !slowness.containsKey(node)
        ? OptionalDouble.empty()
        : OptionalDouble.of(slowness.get(node) / median(known));
  }

  /** The median over several coordinators; empty if none has a result. */
  static OptionalDouble ratio(List<Sight> sights, String node, List<String> others) {
    double[] ratios =
        sights.stream()
            .map(sight -> sight.ratio(node, others))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .sorted()
            .toArray();
    return ratios.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(ratios));
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
