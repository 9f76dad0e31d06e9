/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an arm costs or yields against the baseline beside latency, compared round by round. */
final class Costs {
  private static final String ALL = RowKey.ALL;

  private static final String CPU_PER_READ = "cpu_us_per_read_nodes";
  private static final String CPU = "cpu_pct_nodes";

  /**
   * One quantity of an arm at a load.
   *
   * @param what in words
   * @param result the ratio is arm / baseline
   */
  record Cost(String arm, String load, String what, PairedComparison result) {
    /** {@code CPU of the nodes per read 1.03x (0.99–1.13), no difference shown}. */
    String sentence() {
      String interval = Format.ratio(result.ratio().lo()) + "–" + Format.ratio(result.ratio().hi());
      String verdict =
          switch (result.verdict()) {
            case LOWER -> "lower";
            case HIGHER -> "higher";
            case NO_DIFFERENCE -> "no difference shown";
            case TOO_FEW_ROUNDS, TOO_FEW_REQUESTS -> "too few rounds for a verdict";
            case SATURATED -> "not compared";
          };
      return what + " " + Format.ratio(result.ratio().value()) + "x (" + interval + "), " + verdict;
    }
  }

  private Costs() {}

  /** Everything that both an arm and the baseline measured in the same rounds. */
  static List<Cost> of(
      List<MetricRow> metrics,
      List<SummaryRow> summary,
      ReportReader.Names names,
      Bootstrap bootstrap) {
    List<Cost> costs = new ArrayList<>();
    for (String load : names.loads()) {
      boolean closed = load.matches("\\d+ clients?");
      Function<String, Map<String, Double>> perRead =
          arm -> metric(CPU_PER_READ, arm, load, metrics, names);
      compare("CPU of the nodes per read", load, perRead, names, bootstrap, costs);
      // With background work there is no single count of reads to divide by. In an open loop every
      // arm gets the same load, so its total CPU is comparable.
      if (perRead.apply(names.baseline()).isEmpty() && !closed) {
        Function<String, Map<String, Double>> cpu = arm -> metric(CPU, arm, load, metrics, names);
        compare("CPU of the nodes", load, cpu, names, bootstrap, costs);
      }
      // In an open loop the load sets the rate, not the arm.
      if (closed) {
        Function<String, Map<String, Double>> perSecond =
            arm ->
                byRound(
                    summary.stream()
                        .filter(row -> row.key().requestClass().equals(ALL))
                        .filter(row -> row.key().arm().equals(arm) && row.key().load().equals(load))
                        .collect(
                            Collectors.toMap(
                                SummaryRow::key,
                                SummaryRow::throughputPerSecond,
                                (a, b) -> b,
                                LinkedHashMap::new)),
                    names);
        compare("answers per second", load, perSecond, names, bootstrap, costs);
      }
    }
    return List.copyOf(costs);
  }

  private static Map<String, Double> metric(
      String name, String arm, String load, List<MetricRow> metrics, ReportReader.Names names) {
    return byRound(
        metrics.stream()
            .filter(row -> row.metric().equals(name))
            .filter(row -> row.key().arm().equals(arm) && row.key().load().equals(load))
            .collect(
                Collectors.toMap(
                    MetricRow::key, MetricRow::value, (a, b) -> b, LinkedHashMap::new)),
        names);
  }

  private static Map<String, Double> byRound(Map<RowKey, Double> values, ReportReader.Names names) {
    Map<String, Double> rounds = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          if (ReportReader.Names.isRound(key) && value > 0) {
            rounds.put(names.block(key), value);
          }
        });
    return rounds;
  }

  private static void compare(
      String what,
      String load,
      Function<String, Map<String, Double>> values,
      ReportReader.Names names,
      Bootstrap bootstrap,
      List<Cost> costs) {
    Map<String, Double> base = values.apply(names.baseline());
    for (String arm : names.arms()) {
      Map<String, Double> own = values.apply(arm);
      if (!arm.equals(names.baseline()) && !own.isEmpty() && !base.isEmpty()) {
        costs.add(new Cost(arm, load, what, PairedComparison.of(own, base, false, bootstrap)));
      }
    }
  }

  /** One line for an arm at a load; empty if nothing was measured. */
  static String sentence(ReportData data, String arm, String load) {
    return data.costs().stream()
        .filter(cost -> cost.arm().equals(arm) && cost.load().equals(load))
        .map(Cost::sentence)
        .collect(Collectors.joining("; "));
  }
}
