/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.Verdict;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class CostsTest {
  private static final ReportReader.Names NAMES =
      new ReportReader.Names(
          "stock",
          List.of("stock", "manx"),
          List.of("all"),
          List.of("1200/s"),
          List.of("1"),
          List.of());

  @Test
  void cpuIsComparedRoundByRound() {
    // A drift of the machine that affects both arms of a round hides no difference.
    List<MetricRow> rows = new ArrayList<>();
    for (int round = 1; round <= 9; round++) {
      rows.add(cpu("stock", round, 100.0 * round));
      rows.add(cpu("manx", round, 110.0 * round));
    }
    assertThat(sentences(rows))
        .containsExactly("CPU of the nodes per read 1.10x (1.10–1.10), higher");
  }

  /** Simulations tell arms apart that differ by less than a hundredth. */
  @Test
  void aDifferenceIsNotPrintedAsNone() {
    List<MetricRow> rows = new ArrayList<>();
    for (int round = 1; round <= 9; round++) {
      rows.add(cpu("stock", round, 1_000));
      rows.add(cpu("manx", round, round < 5 ? 999.4 : 999.6));
    }
    assertThat(sentences(rows))
        .containsExactly("CPU of the nodes per read 0.9996x (0.999–0.9996), lower");
    PairedComparison slightly =
        new PairedComparison(Verdict.LOWER, new Estimate(0.8, 0.7, 0.9996, 9));
    assertThat(Sentences.factor(slightly)).isEqualTo("1.25x faster");
    assertThat(Sentences.interval(slightly)).isEqualTo("1.0004–1.43");
    PairedComparison equal =
        new PairedComparison(Verdict.TOO_FEW_ROUNDS, new Estimate(1.004, 1.004, 1.004, 1));
    assertThat(Sentences.seen(equal)).isEqualTo("the same");
  }

  /** Else the last point of a sweep would stand for the experiment itself. */
  @Test
  void pointsOfASweepAreNotTheExperiment() {
    List<MetricRow> rows = new ArrayList<>();
    for (int round = 1; round <= 9; round++) {
      rows.add(cpu("stock", round, 100));
      rows.add(cpu("manx", round, 110));
      MetricRow own = cpu("manx", round, 900);
      rows.add(new MetricRow(own.key(), "zipf=2", own.metric(), own.value(), own.lo(), own.hi()));
    }
    assertThat(sentences(rows))
        .containsExactly("CPU of the nodes per read 1.10x (1.10–1.10), higher");
  }

  @Test
  void tooFewRoundsAreNoVerdict() {
    assertThat(sentences(List.of(cpu("stock", 1, 100), cpu("manx", 1, 90))))
        .singleElement()
        .asString()
        .startsWith("CPU of the nodes per read 0.90")
        .endsWith("too few rounds for a verdict");
  }

  /** A storage engine's cases have no sum, and its closed loop no number of clients. */
  @Test
  void answersOfTheCasesOfAClosedLoopAreCompared() {
    List<SummaryRow> rows = new ArrayList<>();
    for (int round = 1; round <= 9; round++) {
      for (String arm : List.of("stock", "manx")) {
        for (String one : List.of("pinned", "unrestricted")) {
          double rate = 1_000.0 * round * (arm.equals("manx") && one.equals("pinned") ? 1.2 : 1);
          RowKey key = new RowKey("x", arm, one, "closed", "1", Integer.toString(round));
          rows.add(SummaryRow.of(key, 1, 0, 0, rate, Histograms.create()));
        }
      }
    }
    ReportReader.Names cases =
        new ReportReader.Names(
            "stock",
            List.of("stock", "manx"),
            List.of("pinned", "unrestricted"),
            List.of("closed"),
            List.of("1"),
            List.of());
    assertThat(Costs.of(new Costs.Rows(List.of(), rows, cases), Bootstrap.standard()))
        .extracting(cost -> cost.requestClass() + ": " + cost.sentence())
        .containsExactly(
            "pinned: answers per second 1.20x (1.20–1.20), higher",
            "unrestricted: answers per second 1.00x (1.00–1.00), no difference shown");
  }

  /** An arm that hangs in some rounds, and is better in the others, is not better. */
  @Test
  void roundsWithoutAnAnswerAreTheWorst() {
    assertThat(answers(round -> round <= 4 ? 0 : 1_050, round -> 1_000))
        .isEqualTo("answers per second 1.05x (0.00–1.05), no difference shown");
    assertThat(answers(round -> 1_050, round -> round <= 8 ? 0 : 1_000))
        .startsWith("answers per second ∞x (")
        .endsWith("–∞), higher");
  }

  @Test
  void roundsInWhichNeitherArmAnswersAreLeftOut() {
    assertThat(answers(round -> round <= 4 ? 0 : 1_200, round -> round <= 4 ? 0 : 1_000))
        .isEqualTo("answers per second 1.20x (1.20–1.20), higher");
  }

  /** 12 rounds of 16 clients. */
  private static String answers(IntToDoubleFunction manx, IntToDoubleFunction stock) {
    List<SummaryRow> rows = new ArrayList<>();
    for (int round = 1; round <= 12; round++) {
      for (String arm : NAMES.arms()) {
        double rate = (arm.equals("manx") ? manx : stock).applyAsDouble(round);
        RowKey key = new RowKey("x", arm, "all", "16 clients", "1", Integer.toString(round));
        rows.add(SummaryRow.of(key, 1, 0, 0, rate, Histograms.create()));
      }
    }
    ReportReader.Names names =
        new ReportReader.Names(
            "stock", NAMES.arms(), List.of("all"), List.of("16 clients"), List.of("1"), List.of());
    Costs.Rows all = new Costs.Rows(List.of(), rows, names);
    return Costs.of(all, Bootstrap.standard()).get(0).sentence();
  }

  @Test
  void unmeasuredCostsAreLeftOut() {
    assertThat(sentences(List.of(cpu("manx", 1, 90)))).isEmpty();
  }

  private static List<String> sentences(List<MetricRow> rows) {
    return Costs.of(new Costs.Rows(rows, List.of(), NAMES), Bootstrap.standard()).stream()
        .map(Costs.Cost::sentence)
        .toList();
  }

  private static MetricRow cpu(String arm, int round, double value) {
    RowKey key = new RowKey("x", arm, "all", "1200/s", "1", Integer.toString(round));
    return MetricRow.of(key, "cpu_us_per_read_nodes", value);
  }
}
