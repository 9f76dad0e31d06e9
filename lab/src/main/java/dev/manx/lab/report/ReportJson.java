/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.ReportData.CurvePoint;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.ReportData.Timeline;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.stats.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The whole report as data: {@code report.json}, the only input of page and terminal. Latencies are
 * in milliseconds, a missing value is null, a number with an interval is {@code [value, lo, hi]}.
 * docs/measure/result-files.md explains every key.
 */
final class ReportJson {
  /** The file's name in a result directory. */
  static final String FILE_NAME = "report.json";

  /** Increases if a key changes its meaning or is removed; new keys do not change it. */
  static final int VERSION = 1;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double US_PER_MS = 1e3;

  private ReportJson() {}

  static ObjectNode of(ReportData data) {
    KindWords kind = data.about().kind();
    ObjectNode top = JSON.createObjectNode();
    top.put("version", VERSION);
    top.put("experiment", data.experiment());
    top.put("subtitle", subtitle(data));
    top.put("on", kind.on());
    top.put("description", data.about().description());
    top.put("quick", data.about().quick());
    top.set("environment", JSON.valueToTree(data.environment().orElse(null)));
    top.put("baseline", data.baseline());
    top.set("alsoAgainst", JSON.valueToTree(data.alsoAgainst()));
    top.put("loadWord", kind.loadWord()).put("latencyOf", kind.latency());
    top.set("arms", JSON.valueToTree(data.arms()));
    ObjectNode descriptions = top.putObject("descriptions");
    data.arms().stream()
        .filter(arm -> !data.about().arms().getOrDefault(arm, "").isEmpty())
        .forEach(arm -> descriptions.put(arm, data.about().arms().get(arm)));
    top.set("classes", JSON.valueToTree(data.classes()));
    top.set("judged", JSON.valueToTree(data.judged()));
    top.set("loads", JSON.valueToTree(data.loads()));
    top.set("blocks", JSON.valueToTree(data.blocks()));
    top.put("interval", data.ends().words());
    top.set(
        "quantiles",
        JSON.valueToTree(LatencyStatistic.COMPARED.stream().map(LatencyStatistic::label).toList()));
    ArrayNode results = top.putArray("results");
    data.results().forEach(result -> results.add(result(result, data)));
    comparisons(data.comparisons(), top.putArray("comparisons"));
    comparisons(data.alsoCompared(), top.putArray("alsoCompared"));
    top.set("wrong", JSON.valueToTree(data.wrong()));
    said(data, top);
    ArrayNode bounds = top.putArray("bounds");
    data.bounds().forEach(judged -> bounds.add(bound(judged)));
    ArrayNode metrics = top.putArray("metrics");
    data.metrics().forEach(metric -> metrics.add(metric(metric)));
    List<Published.Line> published = Published.lines(data);
    top.set("published", JSON.valueToTree(published));
    ArrayNode timelines = top.putArray("timelines");
    data.timelines().forEach(timeline -> timelines.add(timeline(timeline)));
    ObjectNode words = top.putObject("words");
    Stream.concat(
            data.timelines().stream().map(Timeline::metric),
            data.sweeps().stream().flatMap(sweep -> sweep.metrics().stream()))
        .filter(metric -> !MetricWords.of(metric).isEmpty())
        .forEach(metric -> words.put(metric, MetricWords.of(metric)));
    ArrayNode marks = top.putArray("marks");
    data.marks().forEach(mark -> marks.add(mark(mark)));
    ArrayNode sweeps = top.putArray("sweeps");
    data.sweeps().forEach(sweep -> sweeps.add(SweepJson.sweep(sweep, kind.loadWord())));
    Optional<Grid> grid = Grid.of(data);
    grid.ifPresent(some -> top.set("grid", SweepJson.grid(some, data.heatArms())));
    top.set("heatArms", JSON.valueToTree(data.heatArms()));
    top.put(
        "heatWords",
        (data.heatArms().size() > 1 ? "the best of " : "") + Sentences.join(data.heatArms()));
    top.set("tables", JSON.valueToTree(tables(data, grid, published)));
    top.set("notes", JSON.valueToTree(Notes.of(data)));
    top.put("experimentYaml", data.experimentYaml());
    return top;
  }

  /** All tables, in the order of the page. */
  private static List<Table> tables(
      ReportData data, Optional<Grid> grid, List<Published.Line> published) {
    return Stream.of(
            GoalMisses.tables(data),
            BoundVerdicts.tables(data),
            ResultTables.of(data),
            RatioTables.of(data),
            Published.tables(published),
            WorstTables.of(grid, data),
            grid.map(some -> List.of(GridTable.of(some, data.baseline()))).orElse(List.of()),
            SweepTables.of(data),
            MetricTables.of(data),
            EnvironmentTables.of(data.environment()))
        .flatMap(List::stream)
        .toList();
  }

  private static String subtitle(ReportData data) {
    return Format.plural(data.arms().size(), "arm")
        + ", "
        + Format.plural(data.blocks().size(), "round")
        + ", "
        + data.about().kind().loadWord()
        + (data.loads().size() == 1 ? " " : "s ")
        + Sentences.join(data.loads())
        + data.environment().map(e -> ", " + Format.date(e.date())).orElse("");
  }

  /** The sentences of page and terminal. */
  private static void said(ReportData data, ObjectNode top) {
    ArrayNode verdicts = top.putArray("verdicts");
    ArrayNode warnings = top.putArray("warnings");
    for (String load : data.loads()) {
      for (Result result : data.others(load)) {
        boolean all = result.requestClass().equals("all");
        ObjectNode verdict = verdicts.addObject();
        verdict.put("arm", result.arm()).put("class", result.requestClass()).put("load", load);
        verdict.put("sentence", Sentences.verdict(data, result.arm(), result.requestClass(), load));
        verdict.put("goal", all ? GoalMisses.sentence(data, result.arm(), load) : "");
        verdict.put("cost", Costs.sentence(data, result.arm(), result.requestClass(), load));
        ArrayNode also = verdict.putArray("also");
        data.alsoAgainst().stream()
            .filter(over -> !over.equals(result.arm()))
            .map(over -> Sentences.verdict(data, result.arm(), over, result.requestClass(), load))
            .forEach(also::add);
        ArrayNode chips = verdict.putArray("chips");
        for (Comparison c : data.comparisons(result.arm(), result.requestClass(), load)) {
          chips
              .addObject()
              .put("verdict", c.result().verdict().name())
              .put("text", Sentences.chip(c));
        }
      }
      Sentences.warnings(data, load)
          .forEach(text -> warnings.addObject().put("load", load).put("sentence", text));
    }
  }

  private static ObjectNode bound(BoundVerdicts.Judged judged) {
    ObjectNode node = JSON.createObjectNode();
    node.put("arm", judged.bound().arm()).put("over", judged.bound().over());
    node.put("class", judged.bound().requestClass()).put("load", judged.load());
    node.put("quantity", judged.quantity().key()).put("bound", judged.ratio());
    add(node.putArray("ratio"), judged.result().ratio(), 1);
    node.put("state", judged.state().word()).put("why", judged.unequal().why());
    return node;
  }

  private static ObjectNode metric(Metric metric) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", metric.name()).put("params", metric.params());
    node.put("arm", metric.arm()).put("class", metric.requestClass()).put("load", metric.load());
    add(node.putArray("value"), metric.value(), 1);
    node.put("range", Ends.isRange(metric.value()));
    return node;
  }

  private static ObjectNode result(Result result, ReportData data) {
    ObjectNode node = JSON.createObjectNode();
    node.put("arm", result.arm()).put("class", result.requestClass()).put("load", result.load());
    node.put("saturated", result.saturated());
    node.put("requests", result.count()).put("errors", result.errors());
    node.put("wrong", result.wrong());
    add(node.putArray("throughput"), result.throughput(), 1);
    node.set("utilisation", number(result.utilisation()));
    ArrayNode quantiles = node.putArray("quantiles");
    ArrayNode ranges = node.putArray("ranges");
    ArrayNode rounds = node.putArray("rounds");
    for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
      add(quantiles.addArray(), result.latencies().get(quantile), US_PER_MS);
      ranges.add(Ends.isRange(result.latencies().get(quantile)));
      ArrayNode each = rounds.addArray();
      for (String block : data.blocks()) {
        add(each, result.byRound().get(quantile).getOrDefault(block, Double.NaN) / US_PER_MS);
      }
    }
    ArrayNode curve = node.putArray("curve");
    for (CurvePoint point : result.curve()) {
      // x counts nines: 90 % is 1, 99 % is 2.
      ArrayNode pair = curve.addArray();
      add(pair, -Math.log10(1 - point.percentile() / 100));
      add(pair, point.us() / US_PER_MS);
    }
    return node;
  }

  private static void comparisons(List<Comparison> all, ArrayNode array) {
    all.stream()
        .filter(comparison -> comparison.result().ratio().exists())
        .forEach(comparison -> array.add(comparison(comparison)));
  }

  private static ObjectNode comparison(Comparison comparison) {
    ObjectNode node = JSON.createObjectNode();
    Estimate ratio = comparison.result().ratio();
    node.put("arm", comparison.arm()).put("over", comparison.over());
    node.put("class", comparison.requestClass());
    node.put("load", comparison.load());
    node.put("quantile", comparison.quantile().label());
    node.put("verdict", comparison.result().verdict().name());
    node.put("ratio", ratio.value()).put("lo", ratio.lo()).put("hi", ratio.hi());
    node.put("range", Ends.isRange(ratio));
    return node;
  }

  private static ObjectNode timeline(Timeline timeline) {
    ObjectNode node = JSON.createObjectNode();
    node.put("metric", timeline.metric()).put("arm", timeline.arm());
    node.put("entity", timeline.entity()).put("load", timeline.load());
    node.put("block", timeline.block());
    ArrayNode points = node.putArray("points");
    for (Timeline.Point point : timeline.points()) {
      ArrayNode pair = points.addArray();
      add(pair, point.seconds());
      add(pair, point.value());
    }
    return node;
  }

  private static ObjectNode mark(Annotations.Mark mark) {
    ObjectNode node = JSON.createObjectNode();
    node.put("label", mark.label()).put("metric", mark.metric());
    node.put("arm", mark.arm()).put("class", mark.requestClass());
    node.put("load", mark.load()).put("block", mark.block());
    ArrayNode numbers = node.putArray("at");
    add(numbers, mark.fromSeconds());
    add(numbers, mark.toSeconds());
    add(numbers, mark.level());
    return node;
  }

  /** Value, lower and upper end. */
  private static void add(ArrayNode array, Estimate value, double divisor) {
    add(array, value.value() / divisor);
    add(array, value.lo() / divisor);
    add(array, value.hi() / divisor);
  }

  static void add(ArrayNode array, double value) {
    array.add(number(value));
  }

  /** A number, or null if missing. */
  private static JsonNode number(double value) {
    return Double.isFinite(value) ? DoubleNode.valueOf(value) : NullNode.getInstance();
  }
}
