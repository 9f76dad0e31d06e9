/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Params;
import dev.manx.lab.stats.Estimate;
import java.util.List;
import java.util.Map;

/**
 * Curves over one parameter, with all others equal.
 *
 * @param parameter its name; {@link Sweeps#LOAD} for the experiment's loads
 * @param others the other parameters, as in {@code params}; empty without any
 * @param scale its values
 * @param metrics names with their units, latencies first
 * @param lines one per arm, class, load and metric
 */
record Sweep(String parameter, String others, Scale scale, List<String> metrics, List<Line> lines) {
  /**
   * One line.
   *
   * @param load empty if the loads are the axis, and at a load that the experiment has only at this
   *     point
   * @param points by label of the scale; latencies in milliseconds
   * @param marks of the points that have any, by label
   */
  record Line(
      String arm,
      String requestClass,
      String load,
      String metric,
      Map<String, Estimate> points,
      Map<String, PointMarks> marks) {}

  /** Whether the values of a metric with these params are points of the curves. */
  boolean draws(Map<String, String> params) {
    return params.containsKey(parameter) && Params.without(params, parameter).equals(others);
  }

  /** The parameter's name for users. */
  String name(String loadWord) {
    return parameter.equals(Sweeps.LOAD) ? loadWord : parameter;
  }

  /** Its name in a heading. */
  String title(String loadWord) {
    return name(loadWord) + (others.isEmpty() ? "" : " (" + others.replace(";", ", ") + ")");
  }
}
