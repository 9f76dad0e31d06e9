/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.TerminalText;
import dev.manx.lab.stats.Estimate;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The conversion of files into curves, a grid and marks. */
class SweepsTest {
  private static final String[] GOALS = {"P50 beyond 150 ms", "P99 beyond 150 ms"};

  @TempDir Path directory;

  private ReportData data(int arms) throws Exception {
    return ReportData.read(SweptFixture.write(directory, arms));
  }

  private static String page(ReportData data) {
    return ReportPage.html(ReportJson.of(data));
  }

  @Test
  void loadsAndDeclaredParametersAreAxes() throws Exception {
    ReportData data = data(2);
    assertThat(data.sweeps())
        .extracting(Sweep::parameter)
        .as("a goal is no axis")
        .containsExactly("load", "model.network.one-way");
    Sweep loads = data.sweeps().get(0);
    assertThat(loads.scale().unit()).isEqualTo("%");
    assertThat(loads.scale().positions()).containsEntry("70%", 70.0);
    assertThat(loads.metrics())
        .startsWith("P50 ms", "P99 ms", "throughput_per_s", "utilisation_pct");
    assertThat(line(loads, "arm-2", "", "P99 ms"))
        .containsKeys("30%", "50%", "70%")
        .hasEntrySatisfying("70%", value -> assertThat(value.value()).isEqualTo(6));
  }

  /** The file's own value of the parameter is also a point, at its position. */
  @Test
  void theFilesOwnSettingsAreAPoint() throws Exception {
    Sweep delays = data(2).sweeps().get(1);
    assertThat(delays.scale().labels()).containsExactly("10us", "100us", "1ms");
    assertThat(delays.scale().kind()).isEqualTo(Scale.Kind.LOGARITHMIC);
    Map<String, Estimate> p99 = line(delays, "arm-1", "50%", "P99 ms");
    assertThat(p99.get("100us").value()).isEqualTo(2);
    assertThat(p99.get("1ms").value()).isEqualTo(4);
    assertThat(p99.get("10us").lo()).isEqualTo(5.4);
    assertThat(line(delays, "arm-1", "50%", "messages_per_read").get("100us").value()).isEqualTo(2);
  }

  /** A curve over six values showed five. */
  @Test
  void everyLatencyAndEveryGoalHasTheFilesOwnPoint() throws Exception {
    SweptFixture.write(directory, 1);
    String rows =
        SweptFixture.DELAYS.stream()
            .flatMap(
                delay ->
                    Stream.of(
                        delay + ",latency_mean_us,7000",
                        delay + ",latency_p90_us,7000",
                        delay + ",latency_max_us,7000",
                        delay + ";goal=p99;slo_ms=150,slo_violation_pct,8",
                        delay + ";backend=b3,hit_ratio_pct,9"))
            .map(row -> "swept,arm-1,all,50%,all,all,model.network.one-way=" + row + ",,\n")
            .collect(Collectors.joining());
    Files.writeString(directory.resolve("metrics.csv"), rows, StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    Sweep delays = data.sweeps().get(1);
    assertThat(line(delays, "arm-1", "50%", "mean ms").get("100us").value()).isEqualTo(2);
    assertThat(line(delays, "arm-1", "50%", "P90 ms").get("100us").value()).isEqualTo(2);
    assertThat(line(delays, "arm-1", "50%", "max ms").get("100us").value()).isEqualTo(6);
    for (String own : List.of("goal=p99;slo_ms=150", "backend=b3")) {
      Sweep sweep =
          data.sweeps().stream().filter(one -> one.others().equals(own)).findFirst().orElseThrow();
      String metric = sweep.metrics().get(0);
      assertThat(line(sweep, "arm-1", "50%", metric))
          .as(own)
          .containsOnlyKeys("10us", "100us", "1ms")
          .hasEntrySatisfying(
              "100us",
              value -> assertThat(value.value()).isEqualTo(own.startsWith("goal") ? 3 : 53));
    }
  }

  /** Small charts of the other parameter's values stand next to each other. */
  @Test
  void chartsOfTwoSweptParametersAreInTheOrderOfTheFile() throws Exception {
    Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        experiment: two
        on: simulator
        baseline: a
        model: { cores: 2, network: { one-way: 10ms } }
        sweep: { model.cores: [2, 4], model.network.one-way: [1ms, 10ms, 100ms] }
        arms: {}
        """);
    try (RowWriter<MetricRow> metrics = RowWriter.create(directory, MetricRow.FORMAT);
        RowWriter<SummaryRow> summary = RowWriter.create(directory, SummaryRow.FORMAT)) {
      RowKey key = new RowKey("two", "a", RowKey.ALL, "70%", RowKey.ALL, RowKey.ALL);
      summary.append(SweptFixture.row(key, 5));
      for (String cores : List.of("2", "4")) {
        for (String delay : List.of("1ms", "10ms", "100ms")) {
          String params = "model.cores=" + cores + ";model.network.one-way=" + delay;
          metrics.append(new MetricRow(key, params, "latency_p99_us", 7, Double.NaN, Double.NaN));
        }
      }
    }
    assertThat(ReportData.read(directory).sweeps())
        .filteredOn(sweep -> sweep.parameter().equals("model.cores"))
        .extracting(Sweep::others)
        .containsExactly(
            "model.network.one-way=1ms",
            "model.network.one-way=10ms",
            "model.network.one-way=100ms");
  }

  private static Map<String, Estimate> line(Sweep sweep, String arm, String load, String metric) {
    return sweep.lines().stream()
        .filter(
            line ->
                line.arm().equals(arm) && line.load().equals(load) && line.metric().equals(metric))
        .map(Sweep.Line::points)
        .findFirst()
        .orElseThrow();
  }

  /** The page can only switch to the loads of the experiment, and showed such points nowhere. */
  @Test
  void aPointWithALoadOfItsOwnIsShownWithEveryLoad() throws Exception {
    SweptFixture.write(directory, 2);
    Files.writeString(
        directory.resolve("metrics.csv"),
        """
        swept,arm-1,all,90%,all,all,point=high,latency_p99_us,9000,,
        swept,arm-1,all,90%,all,all,point=high,utilisation_pct,97,,
        swept,arm-2,all,70%,all,all,point=calm,latency_p99_us,8000,,
        swept,arm-2,all,90%,all,all,why=late,dropped,7,,
        """,
        StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    Sweep points = data.sweeps().get(2);
    assertThat(points.scale().labels()).containsExactly("as in the file", "high, 90%", "calm");
    assertThat(line(points, "arm-1", "", "P99 ms")).containsOnlyKeys("high, 90%");
    assertThat(line(points, "arm-2", "70%", "P99 ms")).containsOnlyKeys("as in the file", "calm");
    JsonNode json = ReportJson.of(data);
    List<JsonNode> high = new ArrayList<>();
    json.at("/sweeps/2/lines")
        .forEach(
            line -> {
              if (line.get("load").asText().isEmpty()) {
                high.add(line);
              }
            });
    assertThat(high)
        .extracting(
            line -> line.get("metric").asText() + line.get("points") + line.get("saturated"))
        .containsExactly(
            "P99 ms[[1.0,9.0,null,null]][true]", "utilisation_pct[[1.0,97.0,null,null]][true]");
    assertThat(MetricTables.of(data))
        .filteredOn(table -> table.load().isEmpty())
        .singleElement()
        .asString()
        .contains("dropped · why=late · 90%");
    List<String> loads = new ArrayList<>();
    json.get("tables").forEach(table -> loads.add(table.path("load").asText("")));
    assertThat(loads).containsOnly("", "30%", "50%", "70%");
  }

  @Test
  void aSaturatedPointIsMarkedInCurvesAndNumbers() throws Exception {
    ReportData data = data(2);
    Sweep delays = data.sweeps().get(1);
    assertThat(delays.lines())
        .filteredOn(line -> line.load().equals("50%") && line.metric().equals("P99 ms"))
        .extracting(line -> line.marks().toString())
        .as("90 % at 10us")
        .containsOnly("{10us=" + new PointMarks(true, Double.NaN) + "}");
    assertThat(data.sweeps().get(0).lines()).allMatch(line -> line.marks().isEmpty());
    assertThat(page(data)).contains("2.70–3.30</small>").contains("class=\"mark bad\">saturated");
  }

  @Test
  void sweptMetricsStandInTheirOwnTables() throws Exception {
    ReportData data = data(2);
    List<Table> metrics = MetricTables.of(data);
    assertThat(metrics.toString())
        .contains("goal=p99;slo_ms=150")
        .doesNotContain("one-way", "text=mark");
    assertThat(metrics)
        .filteredOn(table -> table.toString().contains("backend=b1"))
        .as("what is of one of many is folded")
        .isNotEmpty()
        .allMatch(table -> table.fold().equals("Of each backend"));
    assertThat(SweepTables.of(data).toString()).contains("5.40–6.60");
    assertThat(page(data)).contains("over model.network.one-way", "<small>5.40–6.60</small>");
  }

  /** A curve over a parameter does not show metrics that have others besides. */
  @Test
  void metricsThatNoCurveShowsAreInATable() throws Exception {
    SweptFixture.write(directory, 2);
    String rows =
        List.of("node=1", "node=2", "node=4", "node=1;why=late").stream()
            .map(params -> "swept,arm-2,all,30%,all,all," + params + ",dropped,7,,\n")
            .collect(Collectors.joining());
    Files.writeString(directory.resolve("metrics.csv"), rows, StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    assertThat(data.sweeps()).extracting(Sweep::parameter).contains("node");
    assertThat(MetricTables.of(data).toString())
        .contains("dropped · node=1;why=late")
        .doesNotContain("dropped · node=1,", "dropped · node=2", "dropped · node=4");
  }

  @Test
  void scalesReadQuantitiesOfOneKind() {
    assertThat(Scale.of(List.of("64KiB", "1KiB")).labels()).containsExactly("1KiB", "64KiB");
    assertThat(Scale.of(List.of("16", "4", "8")).kind()).isEqualTo(Scale.Kind.LINEAR);
    assertThat(Scale.of(List.of("0", "100")).kind())
        .as("no logarithm of nothing")
        .isEqualTo(Scale.Kind.LINEAR);
    assertThat(Scale.of(List.of("2k/s", "500/s")).positions()).containsEntry("2k/s", 2_000.0);
    Scale names = Scale.of(List.of("5ms", "10%", "many"));
    assertThat(names.kind()).isEqualTo(Scale.Kind.NAMES);
    assertThat(names.labels()).containsExactly("5ms", "10%", "many");
  }

  /** A resolved file has the file's own share as a number; the points keep their percent. */
  @Test
  void sharesAreOneQuantityInBothForms() {
    Scale shares = Scale.of(List.of("0.0", "1%", "10%"));
    assertThat(shares.kind()).isEqualTo(Scale.Kind.LINEAR);
    assertThat(shares.unit()).isEqualTo("%");
    assertThat(shares.positions()).containsEntry("10%", 10.0);
    assertThat(Scale.of(List.of("0.01", "1%")).places()).isEqualTo(1);
    assertThat(Scale.of(List.of("0.1", "0.2")).unit()).isEmpty();
    assertThat(Scale.of(List.of("1_000", "2_000")).positions()).containsEntry("2_000", 2_000.0);
  }

  @Test
  void theGridHasEveryLoadAndPoint() throws Exception {
    Grid grid = Grid.of(data(5)).orElseThrow();
    assertThat(grid.labels())
        .containsExactly(
            "30%",
            "50%",
            "70%",
            "30% one-way=1ms",
            "30% one-way=10us",
            "50% one-way=1ms",
            "50% one-way=10us",
            "70% one-way=1ms",
            "70% one-way=10us");
    assertThat(grid.cells()).hasSize(5 * 9);
    Grid.Cell slow = grid.cell("arm-3", grid.columns().get(4)).orElseThrow();
    assertThat(slow.us()).containsEntry(LatencyStatistic.P99, 9_000.0);
    assertThat(slow.marks().saturated()).as("90 % at that point").isTrue();
    assertThat(page(data(5))).contains("data-value=\"9.0\"").contains("3.00");
  }

  /** Below the limit of utilisation, but its backlog grew. */
  @Test
  void aPointWhoseQueuesGrewIsSaturated() throws Exception {
    SweptFixture.write(directory, 5);
    Files.writeString(
        directory.resolve("metrics.csv"),
        "swept,arm-2,all,30%,all,all,model.network.one-way=1ms,saturated,1,,\n",
        StandardOpenOption.APPEND);
    Grid grid = Grid.of(ReportData.read(directory)).orElseThrow();
    assertThat(grid.labels().get(3)).isEqualTo("30% one-way=1ms");
    Grid.Column point = grid.columns().get(3);
    assertThat(grid.cell("arm-2", point)).map(cell -> cell.marks().saturated()).contains(true);
    assertThat(grid.cell("arm-1", point)).map(cell -> cell.marks().saturated()).contains(false);
  }

  @Test
  @Timeout(60)
  void heatMapMayCompareWithTheBestOfSeveralArms() throws Exception {
    SweptFixture.write(directory, 6);
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(file, Files.readString(file) + "heat-map: [arm-3, arm-2]\n");
    ReportData data = ReportData.read(directory);
    assertThat(data.heatArms()).containsExactly("arm-3", "arm-2");
    Grid grid = Grid.of(data).orElseThrow();
    List<WorstTables.Row> rows = WorstTables.rows(grid, data, LatencyStatistic.P99);
    // An arm's latency is its number: the better of the two is the second.
    assertThat(rows)
        .extracting(row -> row.arm() + " " + row.worst().get(0).ratio())
        .containsExactly("arm-1 0.5", "arm-4 2.0", "arm-5 2.5", "arm-6 3.0");
    assertThat(rows.get(0).worst()).hasSize(3);
    assertThat(page(data))
        .contains("the best of arm-3 and arm-2")
        .contains("Where each arm is worst: P99");
  }

  /** Its latency depends on the length of the run: the short runs of an overload looked best. */
  @Test
  void aSaturatedArmIsNotTheReferenceOfTheHeatMap() throws Exception {
    SweptFixture.write(directory, 6);
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(file, Files.readString(file) + "heat-map: [arm-3, arm-2]\n");
    Files.writeString(
        directory.resolve("metrics.csv"),
        "swept,arm-2,all,50%,all,all,,saturated,1,,\n",
        StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    Grid grid = Grid.of(data).orElseThrow();
    Map<Grid.Column, Grid.Cell> best = grid.best(data.heatArms(), LatencyStatistic.P99);
    assertThat(best.get(new Grid.Column("", "30%")).arm()).isEqualTo("arm-2");
    assertThat(best.get(new Grid.Column("", "50%")).arm()).isEqualTo("arm-3");
    assertThat(best)
        .as("both were saturated there")
        .doesNotContainKey(new Grid.Column("model.network.one-way=10us", "50%"));
    assertThat(ReportJson.of(data).at("/grid/bases/2").toString())
        .isEqualTo("[\"arm-2\",\"arm-3\",\"arm-2\",\"arm-2\",null,\"arm-2\",null,\"arm-2\",null]");
  }

  /** Failures are quick: the arm that fails most looked best. */
  @Test
  void aFailingArmIsNotTheReferenceOfTheHeatMap() throws Exception {
    SweptFixture.write(directory, 6);
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(file, Files.readString(file) + "heat-map: [arm-3, arm-2]\n");
    Files.writeString(
        directory.resolve("metrics.csv"),
        """
        swept,arm-1,all,30%,all,all,model.network.one-way=1ms,failed_pct,5,,
        swept,arm-2,all,30%,all,all,model.network.one-way=1ms,failed_pct,0.2,,
        swept,arm-2,all,50%,all,all,model.network.one-way=1ms,failed_pct,0.1,,
        """,
        StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    Grid grid = Grid.of(data).orElseThrow();
    Map<Grid.Column, Grid.Cell> best = grid.best(data.heatArms(), LatencyStatistic.P99);
    String point = "model.network.one-way=1ms";
    assertThat(best.get(new Grid.Column(point, "30%")).arm()).isEqualTo("arm-3");
    assertThat(best.get(new Grid.Column(point, "50%")).arm()).isEqualTo("arm-2");
    assertThat(GridTable.of(grid, "arm-1").rows())
        .filteredOn(row -> row.get(0).text().equals("arm-2") && row.get(1).text().contains("1ms"))
        .extracting(row -> row.get(2).text() + " " + row.get(7).text())
        .containsExactly("30% –", "50% 2.00", "70% 2.00");
  }

  @Test
  void fewArmsNeedNoGrid() throws Exception {
    assertThat(Grid.of(data(4))).isEqualTo(Optional.empty());
    assertThat(page(data(4))).doesNotContain("<table class=\"sortable\"");
  }

  @Test
  void timelinesKnowTheirLoad() throws Exception {
    ReportData data = data(1);
    assertThat(data.timelines()).hasSize(SweptFixture.LOADS.size() * SweptFixture.BACKENDS);
    assertThat(data.timelines().get(0).entity()).isEqualTo("backend 1");
    assertThat(data.timelines().get(0).load()).isEqualTo("30%");
  }

  /** Whole rounds while they fit; of a round that does not, every n-th point of each line. */
  @Test
  void longTimelinesAreThinned() throws Exception {
    SweptFixture.write(directory, 1);
    List<TimelineRow> rows = RowReader.read(directory, TimelineRow.FORMAT);
    ReportReader.Names names =
        new ReportReader.Names(
            "arm-1", List.of(), List.of(), SweptFixture.LOADS, List.of("1"), List.of());
    Timelines thin = Timelines.of(rows, names, 150);
    assertThat(thin.lines()).hasSize(15).allMatch(line -> line.points().size() == 10);
    assertThat(thin.lines().get(3).points()).extracting(p -> p.seconds()).startsWith(0.0, 3.0);
    assertThat(thin.leftOut()).isEqualTo(300);
    assertThat(Timelines.of(rows, names, 450).leftOut()).isZero();
  }

  @Test
  void marksSayWhereTheyStand() throws Exception {
    List<Annotations.Mark> marks = data(1).marks();
    assertThat(marks).as("one of four cannot be read").hasSize(3);
    assertThat(marks.get(0).fromSeconds()).isEqualTo(10);
    assertThat(marks.get(0).toSeconds()).isEqualTo(20);
    assertThat(marks.get(0).label()).isEqualTo("squeezed <b>");
    assertThat(marks.get(1).toSeconds()).isNaN();
    assertThat(marks.get(2).level()).isEqualTo(4);
    assertThat(marks.get(2).metric()).isEqualTo("share_pct");
  }

  @Test
  void goalsStandBesideTheVerdicts() throws Exception {
    ReportData data = data(2);
    assertThat(GoalMisses.of(data)).extracting(GoalMisses.Goal::missed).containsExactly(GOALS);
    assertThat(page(data))
        .contains("P50 beyond 150 ms for 3.00\u00a0% of the time; arm-1: 3.00\u00a0%.")
        .contains("<section id=\"goals\">");
    assertThat(TerminalText.of(ReportJson.of(data)))
        .contains("% of the time  " + String.join("  ", GOALS));
    assertThat(GoalMisses.read("goal=p99")).as("a goal without its value").isEmpty();
  }

  @Test
  void goalsAndSqueezesAreMarks() {
    RowKey key = new RowKey("e", "a", "all", "70%", "all", "all");
    List<MetricRow> rows =
        List.of("goal=p99;slo_ms=100.0", "goal=p50;slo_ms=25").stream()
            .map(params -> new MetricRow(key, params, "slo_violation_pct", 1, 0, 2))
            .toList();
    assertThat(Annotations.ofGoals(rows, List.of(line("p99_ms", "client", 7))))
        .as("a goal whose percentile is drawn")
        .extracting(Annotations.Mark::label, Annotations.Mark::level, Annotations.Mark::metric)
        .containsExactly(tuple("goal 100 ms", 100.0, "p99_ms"));
    assertThat(Annotations.ofPhases(List.of(line("squeezed", "pages", 0, 1, 1, 0, 0, 1))))
        .extracting(
            Annotations.Mark::label, Annotations.Mark::fromSeconds, Annotations.Mark::toSeconds)
        .containsExactly(tuple("pages squeezed", 1.0, 3.0), tuple("pages squeezed", 5.0, 5.0));
    assertThat(
            Annotations.ofPhases(
                List.of(
                    line("late", "pages", 0, 1, 1),
                    line("erring", "pages", 0, 1, 1),
                    line("shifted", "songs", 0, 1, 1),
                    line("p99_ms", "songs", 0, 1, 1))))
        .extracting(Annotations.Mark::label)
        .containsExactly("pages late, erring", "songs shifted");
  }

  private static ReportData.Timeline line(String metric, String entity, double... values) {
    List<ReportData.Timeline.Point> points = new ArrayList<>();
    for (double value : values) {
      points.add(new ReportData.Timeline.Point(points.size(), value));
    }
    return new ReportData.Timeline(metric, "a", entity, "", "1", points);
  }

  @Test
  void aMarkOfOneRoundIsOfThatRound() {
    RowKey key = new RowKey("e", "a", "all", "70%", "2", "3");
    MetricRow row = new MetricRow(key, "from=1;label=x", "mark", 1, Double.NaN, Double.NaN);
    assertThat(Annotations.of(List.of(row, row), k -> k.seed() + "/" + k.round()))
        .singleElement()
        .extracting(Annotations.Mark::block)
        .isEqualTo("2/3");
  }

  /** Nothing said that the latencies at a point were those of few survivors. */
  @Test
  void failedRequestsAtAPointAreMarkedAndTold() throws Exception {
    SweptFixture.write(directory, 5);
    assertThat(Sentences.warnings(ReportData.read(directory), "50%"))
        .as("files of older runs do not know")
        .noneMatch(warning -> warning.contains("failed"));
    Files.writeString(
        directory.resolve("metrics.csv"),
        """
        swept,arm-1,all,50%,all,all,model.network.one-way=1ms,failed_pct,0.02,,
        swept,arm-2,all,50%,all,all,model.network.one-way=1ms,failed_pct,3.5,,
        swept,arm-3,all,50%,all,all,model.network.one-way=1ms,failed_pct,0,,
        swept,arm-2,all,95%,all,all,point=high,latency_p99_us,9000,,
        swept,arm-2,all,95%,all,all,point=high,failed_pct,60,,
        """,
        StandardOpenOption.APPEND);
    ReportData data = ReportData.read(directory);
    assertThat(Sentences.warnings(data, "50%"))
        .containsOnlyOnce(
            "Requests failed, timed out or were not sent at 2 points of a sweep, and may be missing"
                + " among the latencies (one-way=1ms: arm-1 0.02\u00a0%, arm-2 3.5\u00a0%; high at"
                + " 95%: arm-2 60\u00a0%).");
    assertThat(Sentences.warnings(data, "30%"))
        .filteredOn(warning -> warning.contains("failed"))
        .singleElement()
        .asString()
        .contains("at 1 point of a sweep", "(high at 95%: arm-2 60\u00a0%)");
    Grid grid = Grid.of(data).orElseThrow();
    Grid.Column point = grid.columns().get(5);
    assertThat(point).isEqualTo(new Grid.Column("model.network.one-way=1ms", "50%"));
    assertThat(IntStream.rangeClosed(1, 5).mapToObj(arm -> grid.cell("arm-" + arm, point)))
        .extracting(cell -> cell.orElseThrow().marks().words())
        .as("few failures move no percentile")
        .containsExactly("", "3.5\u00a0% failed", "", "", "");
    JsonNode json = ReportJson.of(data);
    List<String> failed = new ArrayList<>();
    json.at("/sweeps/1/lines")
        .forEach(
            line -> {
              if ((line.get("arm").asText() + line.get("load").asText()).equals("arm-250%")
                  && line.get("metric").asText().equals("P99 ms")) {
                failed.add(line.get("failed").toString());
              }
            });
    assertThat(failed).as("at 10us, 100us and 1ms").containsExactly("[null,null,3.5]");
    assertThat(page(data)).contains("class=\"mark bad\">3.5\u00a0% failed");
  }

  /** Cases have no class of all requests, and lost the file's own value. */
  @Test
  void theFilesOwnSettingsAreAPointOfACase() throws Exception {
    SweptFixture.write(directory, 2);
    for (String file : List.of("summary.csv", "metrics.csv")) {
      Path rows = directory.resolve(file);
      Files.writeString(
          rows, Files.readString(rows).replaceAll("(?m)^(swept,arm-\\d),all,", "$1,pinned,"));
    }
    Sweep delays =
        ReportData.read(directory).sweeps().stream()
            .filter(sweep -> sweep.parameter().equals("model.network.one-way"))
            .findFirst()
            .orElseThrow();
    assertThat(line(delays, "arm-1", "50%", "P99 ms").get("100us").value()).isEqualTo(2);
    assertThat(delays.lines()).extracting(Sweep.Line::requestClass).containsOnly("pinned");
  }

  /** A class, a parameter or a load after the name hid its meaning. */
  @Test
  void everyTableOfMetricsTellsTheirMeanings() throws Exception {
    for (int arms : new int[] {2, 9}) {
      Path results =
          SweptFixture.write(Files.createDirectory(directory.resolve("of" + arms)), arms);
      Files.writeString(
          results.resolve("metrics.csv"),
          "swept,arm-1,all,30%,all,all,threads=4,latency_mean_us,7,,\n",
          StandardOpenOption.APPEND);
      String page = page(ReportData.read(results));
      String words = page.substring(page.indexOf("id=\"metrics\""));
      assertThat(words)
          .as("%d arms", arms)
          .contains("<small>messages between nodes, both ways, for each read</small>")
          .contains("<small>queries to the backend that the cache answered</small>")
          .contains("<small>share of the time in which the goal was missed</small>");
    }
  }

  /** The line crossed a stall as if there had been answers. */
  @Test
  void aLineHasAGapWhereOthersOfItsRoundHaveValues() {
    List<ReportData.Timeline> lines = new ArrayList<>();
    lines.add(at("p99_ms", "1", 0, 1, 2, 6, 7));
    lines.add(at("outstanding", "1", 0, 1, 2, 3, 4, 5, 6.01, 7));
    lines.add(at("share_mib", "1", 0, 5, 10));
    lines.add(at("p99_ms", "2", 0, 1, 2, 6, 7));
    assertThat(Gaps.mark(lines))
        .extracting(
            line ->
                line.points().stream()
                    .map(point -> point.seconds() + (Double.isNaN(point.value()) ? "?" : ""))
                    .collect(Collectors.joining(" ")))
        .containsExactly(
            "0.0 1.0 2.0 3.0? 4.0? 5.0? 6.0 7.0",
            "0.0 1.0 2.0 3.0 4.0 5.0 6.01 7.0",
            "0.0 5.0 10.0",
            "0.0 1.0 2.0 6.0 7.0");
  }

  private static ReportData.Timeline at(String metric, String block, double... seconds) {
    return new ReportData.Timeline(
        metric,
        "a",
        "client",
        "",
        block,
        Arrays.stream(seconds).mapToObj(at -> new ReportData.Timeline.Point(at, 1)).toList());
  }
}
