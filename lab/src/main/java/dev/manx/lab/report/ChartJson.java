/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.ReportData.CurvePoint;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.ReportData.Timeline;
import dev.manx.lab.stats.Estimate;
import java.util.stream.Stream;

/** The charts' numbers as JSON; latencies in milliseconds, a missing value is null. */
final class ChartJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double US_PER_MS = 1e3;

  private ChartJson() {}

  static String of(ReportData data) {
    ObjectNode top = JSON.createObjectNode();
    top.put("baseline", data.baseline());
    top.put("loadWord", data.about().on().loadWord());
    top.set("arms", JSON.valueToTree(data.arms()));
    top.set("classes", JSON.valueToTree(data.classes()));
    top.set("loads", JSON.valueToTree(data.loads()));
    top.set("blocks", JSON.valueToTree(data.blocks()));
    top.set("quantiles", JSON.valueToTree(Quantile.ALL.stream().map(Quantile::label).toList()));
    ArrayNode results = top.putArray("results");
    data.results().forEach(result -> results.add(result(result, data)));
    ArrayNode comparisons = top.putArray("comparisons");
    data.comparisons().stream()
        .filter(comparison -> comparison.result().ratio().exists())
        .forEach(comparison -> comparisons.add(comparison(comparison)));
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
    data.sweeps()
        .forEach(sweep -> sweeps.add(SweepJson.sweep(sweep, data.about().on().loadWord())));
    Grid.of(data).ifPresent(grid -> top.set("grid", SweepJson.grid(grid)));
    top.set("heatArms", JSON.valueToTree(data.heatArms()));
    try {
      return JSON.writeValueAsString(top);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of numbers and texts is always JSON", e);
    }
  }

  private static ObjectNode result(Result result, ReportData data) {
    ObjectNode node = JSON.createObjectNode();
    node.put("arm", result.arm()).put("class", result.requestClass()).put("load", result.load());
    node.put("saturated", result.saturated());
    ArrayNode quantiles = node.putArray("quantiles");
    ArrayNode rounds = node.putArray("rounds");
    for (Quantile quantile : Quantile.ALL) {
      Estimate us = result.quantiles().get(quantile);
      ArrayNode triple = quantiles.addArray();
      add(triple, us.value() / US_PER_MS);
      add(triple, us.lo() / US_PER_MS);
      add(triple, us.hi() / US_PER_MS);
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

  private static ObjectNode comparison(Comparison comparison) {
    ObjectNode node = JSON.createObjectNode();
    Estimate ratio = comparison.result().ratio();
    node.put("arm", comparison.arm());
    node.put("class", comparison.requestClass());
    node.put("load", comparison.load());
    node.put("quantile", comparison.quantile().label());
    node.put("verdict", comparison.result().verdict().name());
    node.put("ratio", ratio.value()).put("lo", ratio.lo()).put("hi", ratio.hi());
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

  private static ObjectNode mark(Marks.Mark mark) {
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

  /** A number, or null where it is none. */
  static void add(ArrayNode array, double value) {
    if (Double.isFinite(value)) {
      array.add(value);
    } else {
      array.addNull();
    }
  }
}
