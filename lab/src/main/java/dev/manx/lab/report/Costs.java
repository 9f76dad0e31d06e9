/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.CpuMetric;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.Verdict;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** An arm's cost and throughput relative to the baseline, compared round by round. */
final class Costs {
  /** Name of CPU per read that requests asked; the work of retries and copies is part of it. */
  static final String CPU_WORDS = "CPU of the nodes per read";

  /** Name of throughput. */
  static final String ANSWERS_WORDS = "answers per second";

  /**
   * One quantity of an arm at a load.
   *
   * @param requestClass all requests, or a case
   * @param what its name in words
   * @param result the ratio is arm / baseline
   */
  record Cost(String arm, String requestClass, String load, String what, PairedComparison result) {
    /** {@code CPU of the nodes per read 1.03x (0.99–1.13), no difference shown}. */
    String sentence() {
      boolean differs = result.verdict() == Verdict.LOWER || result.verdict() == Verdict.HIGHER;
      DoubleFunction<String> text = differs ? Format::unequal : Format::ratio;
      String interval = text.apply(result.ratio().lo()) + "–" + text.apply(result.ratio().hi());
      String verdict =
          switch (result.verdict()) {
            case LOWER -> "lower";
            case HIGHER -> "higher";
            case NO_DIFFERENCE -> "no difference shown";
            case TOO_FEW_ROUNDS, TOO_FEW_REQUESTS -> "too few rounds for a verdict";
            case SATURATED, FAILED -> "not compared";
          };
      return what + " " + text.apply(result.ratio().value()) + "x (" + interval + "), " + verdict;
    }
  }

  /** The ratio of the rounds' values of any two arms. */
  record Rows(List<MetricRow> metrics, List<SummaryRow> summary, ReportReader.Names names) {
    /** CPU of the nodes, per read if reads are counted; empty if not measured. */
    Optional<PairedComparison> cpu(String arm, String over, String load, Bootstrap bootstrap) {
      boolean perRead = !metric(CpuMetric.NODES_PER_READ, over, load).isEmpty();
      // With background work no single count of reads can be the divisor. In an open loop every arm
      // gets the same load, so total CPU is comparable.
      if (!perRead && isClosed(load)) {
        return Optional.empty();
      }
      String name = perRead ? CpuMetric.NODES_PER_READ : CpuMetric.NODES;
      return compare(metric(name, arm, load), metric(name, over, load), bootstrap);
    }

    /**
     * Answers per second in a closed loop; empty in an open loop, where the load determines the
     * rate.
     */
    Optional<PairedComparison> answers(
        String arm, String over, String requestClass, String load, Bootstrap bootstrap) {
      return isClosed(load)
          ? compare(
              throughput(arm, requestClass, load), throughput(over, requestClass, load), bootstrap)
          : Optional.empty();
    }

    /** Whether a load is a closed loop. */
    boolean isClosed(String load) {
      return Load.isClosed(
          load,
          metrics.stream()
              .filter(row -> row.params().isEmpty() && row.key().load().equals(load))
              .map(MetricRow::metric));
    }

    private static Optional<PairedComparison> compare(
        Map<String, Double> own, Map<String, Double> base, Bootstrap bootstrap) {
      return own.isEmpty() || base.isEmpty()
          ? Optional.empty()
          : Optional.of(PairedComparison.of(own, base, false, bootstrap));
    }

    private Map<String, Double> metric(String name, String arm, String load) {
      Map<RowKey, Double> values = new LinkedHashMap<>();
      for (MetricRow row : metrics) {
        // The points of a sweep have equal keys, but the verdict does not cover them.
        if (row.metric().equals(name)
            && row.params().isEmpty()
            && row.key().arm().equals(arm)
            && row.key().load().equals(load)) {
          values.put(row.key(), row.value());
        }
      }
      // Nodes that use no CPU were not measured.
      values.values().removeIf(value -> value <= 0);
      return byRound(values);
    }

    private Map<String, Double> throughput(String arm, String requestClass, String load) {
      Map<RowKey, Double> values = new LinkedHashMap<>();
      for (SummaryRow row : summary) {
        RowKey key = row.key();
        if (key.requestClass().equals(requestClass)
            && key.arm().equals(arm)
            && key.load().equals(load)) {
          values.put(key, row.throughputPerSecond());
        }
      }
      return byRound(values);
    }

    private Map<String, Double> byRound(Map<RowKey, Double> values) {
      Map<String, Double> rounds = new LinkedHashMap<>();
      values.forEach(
          (key, value) -> {
            if (key.isRound()) {
              rounds.put(names.block(key), value);
            }
          });
      return rounds;
    }

    private boolean countsReads(String arm, String load) {
      return !metric(CpuMetric.NODES_PER_READ, arm, load).isEmpty();
    }
  }

  private Costs() {}

  /** All quantities measured for both an arm and the baseline in the same rounds. */
  static List<Cost> of(Rows rows, Bootstrap bootstrap) {
    List<Cost> costs = new ArrayList<>();
    String baseline = rows.names().baseline();
    List<String> classes = rows.names().classes();
    boolean areCases = !classes.contains(RowKey.ALL);
    for (String load : rows.names().loads()) {
      String cpu = rows.countsReads(baseline, load) ? CPU_WORDS : "CPU of the nodes";
      for (String arm : rows.names().arms()) {
        if (!arm.equals(baseline)) {
          rows.cpu(arm, baseline, load, bootstrap)
              .ifPresent(result -> costs.add(new Cost(arm, RowKey.ALL, load, cpu, result)));
          for (String one : areCases ? classes : List.of(RowKey.ALL)) {
            rows.answers(arm, baseline, one, load, bootstrap)
                .ifPresent(result -> costs.add(new Cost(arm, one, load, ANSWERS_WORDS, result)));
          }
        }
      }
    }
    return List.copyOf(costs);
  }

  /** One line for an arm at a load, of a class; empty if nothing was measured. */
  static String sentence(ReportData data, String arm, String requestClass, String load) {
    return data.costs().stream()
        .filter(cost -> cost.arm().equals(arm) && cost.load().equals(load))
        .filter(cost -> cost.requestClass().equals(requestClass))
        .map(Cost::sentence)
        .collect(Collectors.joining("; "));
  }
}
