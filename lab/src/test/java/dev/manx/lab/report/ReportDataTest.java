/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.ResultFixture.Arm;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.lab.stats.Verdict;
import dev.manx.workload.result.SchemaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReportDataTest {
  // Columns of summary.csv; the seven latencies begin with the mean.
  private static final int ERRORS = 7;
  private static final int WRONG = 8;
  private static final int MEAN = 10;

  @TempDir Path directory;

  @Test
  void everythingInTheFilesIsThere() throws Exception {
    ReportData data = ReportData.read(ResultFixture.demo().write(directory));
    assertThat(data.experiment()).isEqualTo("demo");
    assertThat(data.baseline()).isEqualTo("stock");
    assertThat(data.arms()).containsExactly("stock", "neutral", "manx");
    assertThat(data.classes()).containsExactly("all", "single", "wide");
    assertThat(data.blocks()).containsExactly("1", "2", "3", "4", "5", "6", "7", "8");
    assertThat(data.results()).hasSize(9).allMatch(r -> r.curve().size() > 40 && !r.saturated());
    assertThat(data.comparisons()).hasSize(2 * 3 * 4);
    assertThat(data.metrics()).hasSize(3 * 5);
    assertThat(data.timelines()).hasSize(3 * 2 * 8).allMatch(line -> line.points().size() == 8);
    ReportData.Result manx = data.result("manx", "all", "70%").orElseThrow();
    assertThat(manx.count()).isEqualTo(6_400);
    assertThat(manx.rounds()).isEqualTo(8);
    assertThat(manx.utilisation()).isCloseTo(0.702, within(1e-9));
    assertThat(manx.beyondPerRound(LatencyStatistic.P99)).isCloseTo(8, within(1e-9));
  }

  @Test
  void verdictsFollowTheTruthBehindTheNumbers() throws Exception {
    ReportData data = ReportData.read(ResultFixture.demo().write(directory));
    for (ReportData.Comparison c : data.comparisons("manx", "all", "70%").subList(0, 3)) {
      assertThat(c.result().verdict()).as("%s", c).isEqualTo(Verdict.LOWER);
    }
    assertThat(data.comparisons("neutral", "all", "70%").get(0).result().verdict())
        .isEqualTo(Verdict.NO_DIFFERENCE);
    assertThat(Sentences.verdict(data, "manx", "all", "70%"))
        .matches(
            "manx answers (1\\.9|2\\.0)\\dx faster than stock at the median"
                + " \\(95 % interval 1\\.\\d\\d–2\\.\\d\\d\\), .* at P95 .* at P99 .*;"
                + " too few requests to say at P99\\.9\\.");
    assertThat(Sentences.verdict(data, "neutral", "all", "70%"))
        .startsWith("neutral: no difference from stock at the median");
  }

  /**
   * One bad round changes the percentile of all requests together, but not the median over rounds.
   */
  @Test
  void everyValueStandsInsideItsInterval() throws Exception {
    ResultFixture.demo().write(directory);
    Path file = directory.resolve("summary.csv");
    String bad = "demo,manx,all,70%,1,8,";
    List<String> lines = new java.util.ArrayList<>(Files.readAllLines(file));
    int at = lines.indexOf(lines.stream().filter(l -> l.startsWith(bad)).findFirst().orElseThrow());
    String[] fields = lines.get(at).split(",", -1);
    for (int i = 11; i < fields.length && !fields[i].isEmpty(); i++) {
      fields[i] = String.valueOf(1_000 * Double.parseDouble(fields[i]));
    }
    lines.set(at, String.join(",", fields));
    Files.write(file, lines);
    ReportData data = ReportData.read(directory);
    assertThat(data.results()).isNotEmpty();
    for (ReportData.Result result : data.results()) {
      assertThat(result.throughput()).matches(value -> value.contains(value.value()));
      assertThat(result.latencies().values())
          .as("%s %s", result.arm(), result.requestClass())
          .isNotEmpty()
          .allMatch(value -> value.contains(value.value()) && value.rounds() == 8);
    }
  }

  /** The page's chips, its sentence and its chart agree on each percentile. */
  @Test
  void chipAndSentenceComeFromOneVerdict() throws Exception {
    ReportData data = ReportData.read(ResultFixture.demo().write(directory));
    for (String arm : List.of("neutral", "manx")) {
      assertThat(data.comparisons(arm, "all", "70%").get(3).result().verdict())
          .as("800 requests a round: less than one beyond P99.9")
          .isEqualTo(Verdict.TOO_FEW_REQUESTS);
      assertThat(Sentences.verdict(data, arm, "all", "70%"))
          .contains("too few requests to say at P99.9.");
    }
    ObjectNode report = ReportJson.of(data);
    assertThat(ReportPage.html(report))
        .contains("<li class=\"none\">P99.9 too few requests</li>")
        .doesNotContain(">P99.9 no difference", ">P99.9 1.", ">P99.9 2.");
    assertThat(report.toString()).contains("TOO_FEW_REQUESTS").doesNotContain("\"few\"");
  }

  /** Requests without an answer have no latency that a percentile could be based on. */
  @Test
  void aPercentileIsBasedOnAnsweredRequests() throws Exception {
    ResultFixture.demo().write(directory);
    for (String arm : List.of("stock", "manx")) {
      change("demo," + arm + ",all,70%,all,all,", ERRORS, "6000");
    }
    ReportData data = ReportData.read(directory);
    assertThat(data.comparisons("manx", "all", "70%"))
        .extracting(c -> c.result().verdict())
        .as("50 of 800 requests of each round were answered")
        .containsExactly(
            Verdict.LOWER, Verdict.LOWER, Verdict.TOO_FEW_REQUESTS, Verdict.TOO_FEW_REQUESTS);
  }

  /** Otherwise an arm that answers nothing in its bad rounds would be judged by its good ones. */
  @Test
  void roundsWithoutAnAnswerAreTold() throws Exception {
    ResultFixture.demo().write(directory);
    for (int round : List.of(1, 2, 3)) {
      for (int field = MEAN; field < MEAN + 7; field++) {
        change("demo,manx,all,70%,1," + round + ",", field, "");
      }
    }
    ReportData data = ReportData.read(directory);
    assertThat(data.comparisons("manx", "all", "70%").get(0).result().ratio().rounds())
        .isEqualTo(5);
    assertThat(Sentences.warnings(data, "70%"))
        .contains(
            "manx has no latencies in 3 of 8 rounds: its percentiles and comparisons leave them"
                + " out.");
  }

  /** Background work has classes of its own, in which a saturated arm is saturated too. */
  @Test
  void aWarningNamesItsClassAndIsGivenOnce() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("full", 2, 90));
    new ResultFixture(arms, List.of("70%"), 8).write(directory);
    Path file = directory.resolve("summary.csv");
    Files.writeString(file, Files.readString(file).replace(",wide,", ",write,"));
    change("demo,full,write,70%,all,all,", WRONG, "3");
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .filteredOn(warning -> warning.contains("full"))
        .containsExactly(
            "full was saturated: its latency is shown, but not compared.",
            "write: full returned 3 wrong or missing rows.");
  }

  /** Otherwise an arm with more code than others would be blamed for a cold machine. */
  @Test
  void nodesThatStillCompileAreTold() throws Exception {
    ResultFixture.demo().write(directory);
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .noneMatch(warning -> warning.contains("compil"));
    for (int round = 1; round <= 8; round++) {
      // The nodes' CPU per read is 410 to 419 us.
      compilers("stock", round, 4);
      compilers("manx", round, round == 1 ? 400 : 41.5);
    }
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .filteredOn(warning -> warning.contains("compil"))
        .singleElement()
        .asString()
        .contains("took 1\u00a0% with stock and 10\u00a0% with manx of their CPU", "settle-load");
  }

  /** Its delay is a part of each latency, and not the nodes'. */
  @Test
  void aLateLoadGeneratorIsTold() throws Exception {
    ResultFixture.demo().write(directory);
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .noneMatch(warning -> warning.contains("generator"));
    Path file = directory.resolve("metrics.csv");
    // The medians are 20 ms of stock and 10 ms of manx; the delay is 80 to 85 us.
    Files.writeString(
        file, Files.readString(file).replaceAll("(schedule_lag_p99_us,)8\\d", "$11500"));
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .filteredOn(warning -> warning.contains("generator"))
        .singleElement()
        .asString()
        .containsPattern("was 1\\.50.ms with manx \\(P50 1\\d\\.\\d.ms\\), more");
  }

  private void compilers(String arm, int round, double us) throws Exception {
    Files.writeString(
        directory.resolve("metrics.csv"),
        "demo," + arm + ",all,70%,1," + round + ",,cpu_us_per_read_compilers," + us + ",,\n",
        StandardOpenOption.APPEND);
  }

  /** Sets a field of the row of summary.csv with a key. */
  private void change(String key, int field, String value) throws Exception {
    Path file = directory.resolve("summary.csv");
    List<String> lines = new java.util.ArrayList<>(Files.readAllLines(file));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(key)) {
        String[] fields = lines.get(i).split(",", -1);
        fields[field] = value;
        lines.set(i, String.join(",", fields));
      }
    }
    Files.write(file, lines);
  }

  @Test
  void fewRoundsGiveNoVerdict() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("fast", 0.2, 70));
    ReportData data = ReportData.read(new ResultFixture(arms, List.of("70%"), 3).write(directory));
    assertThat(Sentences.verdict(data, "fast", "all", "70%"))
        .startsWith("fast: too few rounds for a verdict, 3 of at least 8 (seen at the median: ");
  }

  @Test
  void aSaturatedBaselineIsComparedWithNothing() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 85.1), new Arm("fast", 0.2, 85));
    ReportData data = ReportData.read(new ResultFixture(arms, List.of("90%"), 8).write(directory));
    assertThat(data.result("stock", "all", "90%").orElseThrow().saturated()).isTrue();
    assertThat(data.result("fast", "all", "90%").orElseThrow().saturated()).isFalse();
    assertThat(data.comparisons())
        .isNotEmpty()
        .allMatch(c -> c.result().verdict() == Verdict.SATURATED);
    assertThat(Sentences.verdict(data, "fast", "all", "90%"))
        .isEqualTo("fast is not compared with stock: stock was saturated.");
  }

  /** The requests that fail may be the slow ones. */
  @Test
  void anArmThatFailsRequestsDoesNotLookFaster() throws Exception {
    ReportData data = failing("manx", 0.3);
    assertThat(data.comparisons("manx", "all", "70%"))
        .isNotEmpty()
        .allMatch(
            c ->
                c.result().verdict() == Verdict.FAILED
                    || c.result().verdict() == Verdict.TOO_FEW_REQUESTS);
    assertThat(Sentences.verdict(data, "manx", "all", "70%"))
        .startsWith("manx: ")
        .endsWith("not compared at the median, P95 and P99: 30\u00a0% of its requests failed.");
    assertThat(Sentences.verdict(data, "neutral", "all", "70%")).contains("no difference");
    assertThat(ReportPage.html(ReportJson.of(data))).contains("not compared");
  }

  /** Its failures flatter it, and it is still slower. */
  @Test
  void anArmIsFasterThanOneThatFailsMoreRequests() throws Exception {
    ReportData data = failing("stock", 0.3);
    assertThat(data.comparisons("manx", "all", "70%").get(0).result().verdict())
        .isEqualTo(Verdict.LOWER);
    assertThat(Sentences.verdict(data, "manx", "all", "70%")).startsWith("manx answers ");
    assertThat(Sentences.verdict(data, "neutral", "all", "70%"))
        .contains("not compared", ": 30\u00a0% of stock's requests failed.");
  }

  @Test
  void anArmThatFailsAsManyRequestsIsCompared() throws Exception {
    ResultFixture.demo().failing("stock", 0.3).failing("manx", 0.3005).write(directory);
    assertThat(
            ReportData.read(directory).comparisons("manx", "all", "70%").get(0).result().verdict())
        .isEqualTo(Verdict.LOWER);
  }

  private ReportData failing(String arm, double share) throws Exception {
    return ReportData.read(ResultFixture.demo().failing(arm, share).write(directory));
  }

  @Test
  void loadsAreKeptApart() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70));
    ReportData data =
        ReportData.read(new ResultFixture(arms, List.of("50%", "70%"), 8).write(directory));
    double half = last(data, "50%");
    double more = last(data, "70%");
    assertThat(half).isNotEqualTo(more);
    assertThat(Report.of(directory).text()).contains("demo, load 50%", "demo, load 70%");
  }

  @Test
  void missingValuesAreLeftOut() throws Exception {
    ResultFixture.demo().write(directory);
    for (String name :
        List.of(
            "metrics.csv",
            "timeline.csv",
            "environment.json",
            "experiment.yaml",
            "manx-all.hlog")) {
      Files.delete(directory.resolve(name));
    }
    ReportData data = ReportData.read(directory);
    assertThat(data.metrics()).isEmpty();
    assertThat(data.timelines()).isEmpty();
    assertThat(data.environment()).isEmpty();
    assertThat(data.result("manx", "all", "70%").orElseThrow().curve()).isEmpty();
    assertThat(ReportPage.html(ReportJson.of(data))).contains("manx answers");
  }

  @Test
  void badFilesAreRefusedByName() throws Exception {
    ResultFixture.demo().write(directory);
    Path summary = directory.resolve("summary.csv");
    List<String> lines = Files.readAllLines(summary);
    Files.write(summary, lines.stream().filter(line -> !line.contains("all,all,")).toList());
    assertThatThrownBy(() -> ReportData.read(directory))
        .hasMessageContaining("summary.csv: no row seed=all,round=all for arm 'stock'")
        .hasMessageContaining("--out continues it");
    Files.writeString(summary, lines.get(0) + "\n");
    assertThatThrownBy(() -> ReportData.read(directory)).hasMessageContaining("has no rows");
    Files.writeString(summary, "not,a,summary\n");
    assertThatThrownBy(() -> ReportData.read(directory)).isInstanceOf(SchemaException.class);
  }

  private static double last(ReportData data, String load) {
    List<ReportData.CurvePoint> curve = data.result("stock", "all", load).orElseThrow().curve();
    return curve.get(curve.size() - 1).us();
  }
}
