/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.CpuMetric;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Warns if the nodes still compiled while they were measured. Code that is not compiled yet runs
 * several times as slowly, so an arm with more code then looks slower than it is.
 */
final class Compilation {
  /** The share of the nodes' CPU from which the warning is given. Warm nodes have 1 % or less. */
  static final double TOLD = 0.05;

  private Compilation() {}

  /** A sentence for a load; empty if little was compiled, or if it was not measured. */
  static Optional<String> warning(ReportData data, String load) {
    List<String> shares = new ArrayList<>();
    double most = 0;
    for (String arm : data.arms()) {
      double share = share(data, arm, load);
      if (Double.isFinite(share)) {
        shares.add(Format.percent(share) + " with " + arm);
        most = Math.max(most, share);
      }
    }
    return most < TOLD
        ? Optional.empty()
        : Optional.of(
            "The nodes were still compiling their code, which is slow until then: their JIT"
                + " compilers took "
                + Sentences.join(shares)
                + " of their CPU (median of the rounds). Arms with more code look slower than they"
                + " are; a longer settle, or a higher settle-load, prevents it.");
  }

  private static double share(ReportData data, String arm, String load) {
    return data.metric(CpuMetric.COMPILERS_PER_READ, arm, RowKey.ALL, load, "").value()
        / data.metric(CpuMetric.NODES_PER_READ, arm, RowKey.ALL, load, "").value();
  }
}
