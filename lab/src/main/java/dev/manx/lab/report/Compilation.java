/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.CpuMetric;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Says when the nodes still compiled while they were measured. Code that is not compiled yet runs
 * several times as slowly, so an arm with more code then looks slower than it is.
 */
final class Compilation {
  /** The share of the nodes' CPU from which it is said. Warm nodes have 1 % or less. */
  static final double TOLD = 0.05;

  private Compilation() {}

  /** A sentence for a load; empty if little was compiled, or if it was not measured. */
  static Optional<String> warning(ReportData data, String load) {
    List<String> shares = new ArrayList<>();
    double most = 0;
    for (String arm : data.arms()) {
      OptionalDouble share = share(data, arm, load);
      if (share.isPresent()) {
        shares.add(Format.percent(share.getAsDouble()) + " with " + arm);
        most = Math.max(most, share.getAsDouble());
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

  private static OptionalDouble share(ReportData data, String arm, String load) {
    OptionalDouble compilers = median(data, CpuMetric.COMPILERS_PER_READ, arm, load);
    OptionalDouble nodes = median(data, CpuMetric.NODES_PER_READ, arm, load);
    return compilers.isPresent() && nodes.isPresent() && nodes.getAsDouble() > 0
        ? OptionalDouble.of(compilers.getAsDouble() / nodes.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble median(ReportData data, String name, String arm, String load) {
    return data.metrics().stream()
        .filter(
            metric ->
                metric.name().equals(name)
                    && metric.arm().equals(arm)
                    && metric.load().equals(load)
                    && metric.requestClass().equals(RowKey.ALL)
                    && metric.params().isEmpty())
        .mapToDouble(metric -> metric.value().value())
        .findFirst();
  }
}
