/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.manx.lab.experiment.ArmBound;
import dev.manx.lab.experiment.ArmBound.Quantity;
import dev.manx.lab.report.BoundVerdicts.Judged;
import dev.manx.lab.report.BoundVerdicts.State;
import dev.manx.lab.report.ResultFixture.Arm;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundVerdictsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "CPU, 1.04, 0.99, 1.04, HELD",
    "CPU, 1.04, 0.99, 1.05, NOT_SHOWN",
    "CPU, 1.04, 1.05, 1.09, MISSED",
    "P99, 1.00, 0.90, 1.10, NOT_SHOWN",
    // More answers are better, so the lower end decides.
    "ANSWERS, 0.98, 0.98, 1.03, HELD",
    "ANSWERS, 0.98, 0.95, 1.03, NOT_SHOWN",
    "ANSWERS, 0.98, 0.90, 0.97, MISSED"
  })
  void theWholeIntervalDecides(
      Quantity quantity, double bound, double lo, double hi, State expected) {
    Estimate ratio = new Estimate((lo + hi) / 2, lo, hi, 20);
    assertThat(judged(quantity, bound, Verdict.NO_DIFFERENCE, ratio).state()).isEqualTo(expected);
  }

  @Test
  void tooLittleIsNotJudgedHoweverGood() {
    Estimate good = new Estimate(0.5, 0.5, 0.5, 2);
    for (Verdict verdict :
        new Verdict[] {Verdict.TOO_FEW_ROUNDS, Verdict.TOO_FEW_REQUESTS, Verdict.SATURATED}) {
      assertThat(judged(Quantity.P95, 1, verdict, good).state()).isEqualTo(State.NOT_JUDGED);
    }
  }

  @Test
  void anArmWhoseQueuesGrowAloneMissesItsBounds() throws Exception {
    assertThat(both(used(99, "70%").growing("manx")))
        .containsExactly(State.MISSED, State.NOT_JUDGED);
    assertThat(Report.of(directory).missedBounds())
        .containsExactly("manx over stock at 70%: P50 queues of manx grew, at most 1.00x");
  }

  /** It may be the better arm, which answers more. */
  @Test
  void anArmThatOnlyUsesMuchOfTheNodesIsNotJudged() throws Exception {
    assertThat(both(used(86, "70%"))).containsExactly(State.NOT_JUDGED, State.NOT_JUDGED);
  }

  @Test
  void aClosedLoopIsNotSaturatedByItsUtilisation() throws Exception {
    assertThat(both(used(86, "16 clients"))).containsExactly(State.HELD, State.MISSED);
    assertThat(ReportData.read(directory).comparisons("manx", "all", "16 clients"))
        .extracting(comparison -> comparison.result().verdict())
        .contains(Verdict.LOWER)
        .doesNotContain(Verdict.SATURATED);
  }

  private static ResultFixture used(double pct, String load) {
    return new ResultFixture(
        List.of(new Arm("stock", 1, 84), new Arm("manx", 0.5, pct)), List.of(load), 8);
  }

  /** The states of two bounds, of manx over stock and of stock over manx. */
  private List<State> both(ResultFixture fixture) throws Exception {
    Path results = fixture.write(directory);
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "bounds: [{ arm: manx, over: stock, p50: 1 }, { arm: stock, over: manx, p50: 1 }]\n");
    return ReportData.read(results).bounds().stream().map(Judged::state).toList();
  }

  /** Quick failures have no latency, and take little CPU. */
  @Test
  void anArmThatFailsRequestsMissesItsBounds() throws Exception {
    ResultFixture fixture =
        new ResultFixture(
            List.of(new Arm("stock", 1, 70), new Arm("manx", 1, 70)), List.of("70%"), 8);
    assertThat(failing(fixture, false)).containsExactly(State.HELD, State.HELD, State.HELD);
    assertThat(failing(fixture.failing("manx", 0.0009), false))
        .containsExactly(State.HELD, State.HELD, State.HELD);
    assertThat(failing(fixture.failing("manx", 0.2), true))
        .containsExactly(State.MISSED, State.MISSED, State.NOT_JUDGED);
  }

  /** A single failure of a class with few requests ended runs with code 3. */
  @ParameterizedTest
  @CsvSource({"8, 1, HELD, HELD", "3, 200, NOT_JUDGED, NOT_JUDGED", "8, 200, MISSED, NOT_JUDGED"})
  void chanceFailuresAndFewRoundsMissNoBound(int rounds, long failures, State ofManx, State ofStock)
      throws Exception {
    Path results =
        new ResultFixture(
                List.of(new Arm("stock", 1, 70), new Arm("manx", 1, 70)), List.of("70%"), rounds)
            .write(directory);
    Path file = results.resolve("summary.csv");
    String summary = Files.readString(file);
    for (String arm : List.of("stock", "manx")) {
      summary =
          summary.replaceAll(
              "(demo," + arm + ",all,70%,all,all,)\\d+,\\d+,",
              "$1450," + (arm.equals("manx") ? failures : 0) + ",");
    }
    Files.writeString(file, summary);
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "bounds: [{ arm: manx, over: stock, p50: 2 }, { arm: stock, over: manx, p50: 2 }]\n");
    ReportData data = ReportData.read(results);
    assertThat(data.result("manx", "all", "70%").orElseThrow().errors()).isEqualTo(failures);
    assertThat(data.bounds().stream().map(Judged::state)).containsExactly(ofManx, ofStock);
    assertThat(ReportJson.of(data).at("/bounds/0/why").asText())
        .isEqualTo(failures == 1 ? "" : "failed: 200 of 450 requests, 0 of 450 of stock");
    assertThat(data.bounds().get(1).measured())
        .matches(
            failures == 1 ? "[01]\\.\\d\\dx .*" : "failed: 0 of 450 requests, 200 of 450 of manx");
  }

  /** Its clients hang in four rounds, and so it sends few requests that could fail. */
  @Test
  void anArmThatAnswersNothingInSomeRoundsDoesNotHoldABoundOfAnswers() throws Exception {
    Path results =
        new ResultFixture(
                List.of(new Arm("stock", 1, 70), new Arm("manx", 1, 70)), List.of("16 clients"), 12)
            .write(directory);
    Path file = results.resolve("summary.csv");
    Files.writeString(
        file,
        Files.readString(file)
            .replaceAll("(demo,manx,all,16 clients,1,[1-4],\\d+,0,0,)[^,]+,", "$10,"));
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml, Files.readString(yaml) + "bounds: [{ arm: manx, over: stock, answers: 0.98 }]\n");
    ReportData data = ReportData.read(results);
    assertThat(data.bounds())
        .extracting(Judged::state, Judged::measured)
        .containsExactly(tuple(State.NOT_SHOWN, "1.00x (0.00–1.00)"));
    assertThat(Sentences.warnings(data, "16 clients"))
        .contains(
            "manx answered no request in 4 of 12 rounds: answers per second are compared except"
                + " where the other arm did not answer any either.");
  }

  private List<State> failing(ResultFixture fixture, boolean misses) throws Exception {
    Path results = fixture.write(Files.createTempDirectory(directory, "results"));
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "bounds: [{ arm: manx, over: stock, p50: 2, cpu: 2 },"
            + " { arm: stock, over: manx, p50: 2 }]\n");
    if (misses) {
      assertThat(Report.of(results).missedBounds().get(0))
          .matches(
              "manx over stock at 70%: P50 failed: 1.280 of 6.400 requests, 0 of 6.400 of stock,"
                  + " at most 2\\.00x");
    }
    return ReportData.read(results).bounds().stream().map(Judged::state).toList();
  }

  @Test
  void anUnmeasuredBoundIsShownWithoutAVerdict() throws Exception {
    Path results = ResultFixture.demo().write(directory);
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml) + "bounds: [{ arm: manx, over: stock, class: wied, p50: 1 }]\n");
    assertThat(ReportData.read(results).bounds().stream().map(Judged::state))
        .containsExactly(State.NOT_JUDGED);
  }

  /** A bound that was left out would look like one that holds. */
  @Test
  void answersPerSecondWithoutAClosedLoopAreNotJudged() throws Exception {
    assertThat(answers(List.of("70%")))
        .extracting(Judged::load, Judged::state)
        .containsExactly(tuple("70%", State.NOT_JUDGED));
    assertThat(answers(List.of("70%", "16 clients")))
        .extracting(Judged::load, Judged::state)
        .containsExactly(tuple("16 clients", State.HELD));
  }

  /** The exit code followed the answers and the CPU of all requests under the class's name. */
  @Test
  void aClassIsJudgedByItsOwnAnswersAndNeverByTheCpuOfAllRequests() throws Exception {
    Path results =
        new ResultFixture(
                List.of(new Arm("stock", 1, 70), new Arm("manx", 1, 70)), List.of("16 clients"), 8)
            .write(directory);
    Path file = results.resolve("summary.csv");
    // Half as many of the class, in every round; the column is the throughput.
    Files.writeString(
        file,
        Files.readString(file)
            .replaceAll("(demo,manx,wide,16 clients,1,\\d,\\d+,\\d+,\\d+,)[0-9.]+,", "$150.0,"));
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "bounds: [{ arm: manx, over: stock, answers: 0.95 },"
            + " { arm: manx, over: stock, class: wide, answers: 0.95, cpu: 2 }]\n");
    assertThat(ReportData.read(results).bounds())
        .extracting(Judged::what, Judged::state)
        .containsExactly(
            tuple("answers per second", State.HELD),
            tuple("wide CPU of the nodes per read", State.NOT_JUDGED),
            tuple("wide answers per second", State.MISSED));
  }

  private List<Judged> answers(List<String> loads) throws Exception {
    ResultFixture fixture =
        new ResultFixture(List.of(new Arm("stock", 1, 70), new Arm("manx", 1, 70)), loads, 8);
    Path results = fixture.write(Files.createTempDirectory(directory, "results"));
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml, Files.readString(yaml) + "bounds: [{ arm: manx, over: stock, answers: 0.98 }]\n");
    return ReportData.read(results).bounds();
  }

  @Test
  void standInPageTerminalAndData() throws Exception {
    Path results = ResultFixture.demo().write(directory);
    Path yaml = results.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "bounds: [{ arm: manx, over: neutral, p50: 0.8, p95: 0.01, class: wide }]\n");
    String text = Report.of(results).text();
    assertThat(text).containsPattern("manx +neutral +wide P50 +at most 0.80x +0\\.\\d\\dx .* held");
    assertThat(text).containsPattern("wide P95 +at most 0.01x .* missed");
    ReportData data = ReportData.read(results);
    assertThat(ReportPage.html(ReportJson.of(data)))
        .contains("<h2>Bounds</h2>", "class=\"bad\">missed</td>");
    assertThat(ReportJson.of(data).toString()).contains("\"quantity\":\"p95\",\"bound\":0.01");
  }

  private static Judged judged(Quantity quantity, double bound, Verdict verdict, Estimate ratio) {
    return new Judged(
        new ArmBound("manx", "stock", "all", Map.of(quantity, bound)),
        quantity,
        bound,
        "16 clients",
        new PairedComparison(verdict, ratio),
        BoundVerdicts.Unequal.NONE);
  }

  /** "1.02x (1.02–1.03), at most 1.02x" was missed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.02  | 1.0249 | 1.0203 | 1.0311 | at most 1.02x  | 1.025x (1.0203–1.03)",
        "1.02  | 1.01   | 0.99   | 1.02   | at most 1.02x  | 1.01x (0.99–1.02)",
        "1.005 | 1.0049 | 1.0047 | 1.0052 | at most 1.005x | 1.00x (1.00–1.01)",
        "1     | 1.3    | 1.0004 | 1.5    | at most 1.00x  | 1.30x (1.0004–1.50)",
        "0.975 | 0.97   | 0.96   | 0.98   | at most 0.975x | 0.97x (0.96–0.98)"
      })
  void asManyDigitsAsShowTheVerdict(
      double bound, double ratio, double lo, double hi, String limit, String measured) {
    Judged judged =
        judged(Quantity.CPU, bound, Verdict.NO_DIFFERENCE, new Estimate(ratio, lo, hi, 20));
    assertThat(judged.limit()).isEqualTo(limit);
    assertThat(judged.measured()).isEqualTo(measured);
  }
}
