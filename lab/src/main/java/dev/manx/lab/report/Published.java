/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Estimate;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Published or promised numbers next to measured ones: the experiment's block {@code published:}. A
 * measured number is the mean over rounds of a percentile, at a point of a sweep the median, or the
 * ratio of two arms' numbers.
 */
final class Published {
  private static final String MISSED = "DOES NOT HOLD";
  private static final String UNREAD = "cannot be read";
  private static final String SATURATED = "saturated";

  /**
   * One number.
   *
   * @param claim source of the claim
   * @param what its subject
   * @param published as published, with its unit
   * @param ours the measured value; a dash if not measured
   * @param holds whether it was reached, in words; empty without an expectation. Saturated arms are
   *     not judged
   */
  record Line(String claim, String what, String published, String ours, String holds) {}

  /** The requests of a percentile. */
  private record Of(String requestClass, String load, String at, Optional<String> point) {}

  private final ReportData data;

  private Published(ReportData data) {
    this.data = data;
  }

  /** All lines, in the file's order; for an unreadable entry the line gives the reason. */
  static List<Line> lines(ReportData data) {
    List<Line> lines = new ArrayList<>();
    Published published = new Published(data);
    try {
      data.about().top().flatMap(top -> top.find("published")).stream()
          .flatMap(block -> block.items().stream())
          .forEach(item -> lines.add(published.lineOrWhyNot(item)));
    } catch (ConfigException e) {
      // The report shows the file verbatim.
      return lines;
    }
    return lines;
  }

  /** One table; empty without published numbers. */
  static List<Table> tables(List<Line> lines) {
    List<Column> columns =
        List.of(
            Column.ofNames("claim"),
            Column.ofNames("of"),
            Column.of("published"),
            Column.of("ours"),
            Column.of(""));
    List<List<Cell>> rows = new ArrayList<>();
    for (Line line : lines) {
      rows.add(
          List.of(
              Cell.of(line.claim()),
              Cell.of(line.what()),
              Cell.of(line.published()),
              Cell.of(line.ours()),
              Cell.of(line.holds()).bad(List.of(MISSED, UNREAD).contains(line.holds()))));
    }
    return rows.isEmpty() ? List.of() : List.of(new Table("published", columns, rows));
  }

  private Line lineOrWhyNot(ConfigNode item) {
    try {
      return line(item);
    } catch (ConfigException e) {
      return new Line("", e.getMessage(), "", Format.NONE, UNREAD);
    }
  }

  private Line line(ConfigNode item) {
    String arm = item.at("arm").text();
    Optional<String> over = item.find("over").map(ConfigNode::text);
    Optional<String> ofFile = item.find("load").map(ConfigNode::text);
    String requestClass = item.find("class").map(ConfigNode::text).orElse("all");
    String text = item.at("published").text();
    Optional<String> point = item.find("point").map(ConfigNode::text);
    String at = item.at("at").oneOf(percentiles(point.isPresent()));
    Optional<ConfigNode> expect = item.find("expect");
    String claim = item.find("claim").map(ConfigNode::text).orElse("");
    item.noOtherKeys();
    String load = ofFile.orElseGet(() -> load(requestClass, point));
    Of of = new Of(requestClass, load, at, point);
    OptionalDouble own = percentileUs(arm, of);
    OptionalDouble base = over.isPresent() ? percentileUs(over.get(), of) : OptionalDouble.of(1);
    String what =
        arm
            + over.map(other -> " / " + other).orElse("")
            + ", "
            + at
            + " at "
            + load
            + (requestClass.equals("all") ? "" : ", " + requestClass)
            + point.map(name -> ", " + name).orElse("");
    double wanted =
        over.isPresent()
            ? item.at("published").number(0, 1e9)
            : Units.durationNanos(text)
                    .orElseThrow(() -> item.at("published").refuse("a time such as 1.61ms"))
                / 1e3;
    if (own.isEmpty() || base.isEmpty()) {
      return new Line(claim, what, text, Format.NONE, "not measured");
    }
    double ours = own.getAsDouble() / base.getAsDouble();
    String printed = over.isPresent() ? Format.number(ours) : Format.ms(ours) + "ms";
    String holds = expect.map(n -> judge(n, ours, wanted) ? "holds" : MISSED).orElse("");
    if (saturated(arm, of) || over.filter(other -> saturated(other, of)).isPresent()) {
      holds = SATURATED;
    }
    return new Line(claim, what, expectation(expect) + text, printed, holds);
  }

  /** The first load of the experiment, or of a point that has loads of its own. */
  private String load(String requestClass, Optional<String> point) {
    String first = data.loads().get(0);
    List<String> own =
        point.stream()
            .map(SweepPoint::named)
            .flatMap(params -> data.metrics().stream().filter(m -> m.params().equals(params)))
            .filter(metric -> metric.requestClass().equals(requestClass))
            .map(Metric::load)
            .distinct()
            .toList();
    return own.isEmpty() || own.contains(first) ? first : own.get(0);
  }

  /** The names of the compared latencies; of points of a sweep, all. */
  private static String[] percentiles(boolean ofPoint) {
    return ofPoint
        ? Arrays.stream(LatencyStatistic.values())
            .map(LatencyStatistic::label)
            .toArray(String[]::new)
        : LatencyStatistic.COMPARED.stream().map(LatencyStatistic::label).toArray(String[]::new);
  }

  private static String expectation(Optional<ConfigNode> expect) {
    String text = expect.map(ConfigNode::text).orElse("");
    return text.isEmpty() ? "" : text + (text.startsWith("within") ? " of " : " ");
  }

  private static boolean judge(ConfigNode expect, double ours, double wanted) {
    String text = expect.text();
    if (text.equals("at most")) {
      return ours <= wanted;
    }
    if (text.equals("at least")) {
      return ours >= wanted;
    }
    double share =
        text.startsWith("within ")
            ? Units.fraction(text.substring("within ".length())).orElse(Double.NaN)
            : Double.NaN;
    if (Double.isNaN(share)) {
      throw expect.refuse("at most, at least, or within 5%");
    }
    return Math.abs(ours - wanted) <= share * wanted;
  }

  /** Latencies of a sweep's point are among the metrics, as the median over its rounds. */
  private OptionalDouble percentileUs(String arm, Of of) {
    if (of.point().isPresent()) {
      return atPoint(arm, of, LatencyStatistic.of(of.at()).orElseThrow().metric());
    }
    Optional<Result> result = data.result(arm, of.requestClass(), of.load());
    return LatencyStatistic.COMPARED.stream()
        .filter(quantile -> quantile.label().equals(of.at()) && result.isPresent())
        .flatMapToDouble(
            quantile ->
                result.get().byRound().get(quantile).values().stream().mapToDouble(us -> us))
        .average();
  }

  private boolean saturated(String arm, Of of) {
    return of.point().isPresent()
        ? Saturation.of(of.load(), metric -> atPoint(arm, of, metric))
        : data.result(arm, of.requestClass(), of.load()).filter(Result::saturated).isPresent();
  }

  private OptionalDouble atPoint(String arm, Of of, String metric) {
    String params = SweepPoint.named(of.point().get());
    Estimate value = data.metric(metric, arm, of.requestClass(), of.load(), params);
    return value.exists() ? OptionalDouble.of(value.value()) : OptionalDouble.empty();
  }
}
