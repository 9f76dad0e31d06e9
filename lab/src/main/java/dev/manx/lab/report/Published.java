/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.report.MetricIndex.Place;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Published or promised numbers next to measured ones: the experiment's block {@code published:}. A
 * measured number is the mean over rounds of a percentile, at a point of a sweep the median, or the
 * ratio of two arms' numbers.
 */
final class Published {
  private static final String MISSED = "DOES NOT HOLD";
  private static final String UNREAD = "cannot be read";
  private static final String SATURATED = "saturated";
  private static final String FAILING = "failing";
  private static final String FEW_ROUNDS = "too few rounds";
  private static final String SHORT = "too short a run";

  /** The claim of a number that no paper has: an aim of the experiment's author. */
  private static final String OURS = "ours";

  private static final Pattern BOUND = Pattern.compile("(at most|at least) ([0-9.]+[a-z]*)");

  /**
   * One number.
   *
   * @param claim source of the claim
   * @param what its subject
   * @param published as published, with its unit
   * @param ours the measured value; a dash if not measured
   * @param holds whether it was reached, in words; empty without an expectation. Saturated and
   *     failing arms, few rounds and shortened runs are not judged
   */
  record Line(String claim, String what, String published, String ours, String holds) {}

  /** The requests that a percentile covers. */
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
            Column.of("published or aimed at"),
            Column.of("ours"),
            Column.of(""));
    List<List<Cell>> rows = new ArrayList<>();
    for (Line line : lines) {
      rows.add(
          List.of(
              Cell.of(line.claim().equals(OURS) ? "our aim" : line.claim()),
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
    double wanted = number(item.at("published"), text, over.isPresent());
    Optional<Expectation> expectation = expect.map(n -> expectation(n, wanted, over.isPresent()));
    if (own.isEmpty() || base.isEmpty()) {
      return new Line(claim, what, text, Format.NONE, "not measured");
    }
    double ours = own.getAsDouble() / base.getAsDouble();
    String printed = over.isPresent() ? Format.number(ours) : Format.ms(ours) + "ms";
    String holds = expectation.map(one -> one.holds(ours) ? "holds" : MISSED).orElse("");
    List<PointMarks> marks =
        Stream.concat(Stream.of(arm), over.stream()).map(one -> marks(one, of)).toList();
    if (marks.stream().anyMatch(PointMarks::saturated)) {
      holds = SATURATED;
    } else if (marks.stream().anyMatch(PointMarks::fails)) {
      holds = FAILING;
    } else if (!holds.isEmpty()) {
      holds = notJudged(arm, over.orElse(arm), of).orElse(holds);
    }
    String published = expectation.map(one -> one.words(text)).orElse(text);
    return new Line(claim, what, published, printed, holds);
  }

  /** A ratio, or a time in microseconds. */
  private static double number(ConfigNode node, String text, boolean isRatio) {
    if (!isRatio) {
      return Units.durationNanos(text).orElseThrow(() -> node.refuse("a time such as 1.61ms"))
          / 1e3;
    }
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 && number <= 1e9) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw node.refuse("a number from 0 to 1000000000");
  }

  /** The reason if a number is not judged: few rounds or a short run would decide by chance. */
  private Optional<String> notJudged(String arm, String over, Of of) {
    if (Math.min(rounds(arm, of), rounds(over, of)) < PairedComparison.MIN_ROUNDS) {
      return Optional.of(FEW_ROUNDS);
    }
    boolean fewer =
        data.environment().filter(e -> e.settings().containsKey(Head.FEWER_REQUESTS)).isPresent();
    return data.about().quick() || fewer ? Optional.of(SHORT) : Optional.empty();
  }

  private int rounds(String arm, Of of) {
    if (of.point().isPresent()) {
      return data.index().find(place(arm, of), metric(of)).rounds();
    }
    return data.result(arm, of.requestClass(), of.load()).map(Result::rounds).orElse(0);
  }

  /**
   * The condition on a measured number.
   *
   * @param text as written
   * @param ofPublished whether its bound is the published number, which its words then end with
   */
  private record Expectation(String text, double least, double most, boolean ofPublished) {
    boolean holds(double ours) {
      return least <= ours && ours <= most;
    }

    String words(String published) {
      return ofPublished
          ? text + (text.startsWith("within") ? " of " : " ") + published
          : published + "; " + text;
    }
  }

  private static Expectation expectation(ConfigNode expect, double wanted, boolean isRatio) {
    String text = expect.text();
    Matcher own = BOUND.matcher(text);
    double bound = own.matches() ? number(expect, own.group(2), isRatio) : wanted;
    if (text.startsWith("at most") && (own.matches() || text.equals("at most"))) {
      return new Expectation(text, Double.NEGATIVE_INFINITY, bound, !own.matches());
    }
    if (text.startsWith("at least") && (own.matches() || text.equals("at least"))) {
      return new Expectation(text, bound, Double.POSITIVE_INFINITY, !own.matches());
    }
    double share =
        text.startsWith("within ")
            ? Units.fraction(text.substring("within ".length())).orElse(Double.NaN)
            : Double.NaN;
    if (Double.isNaN(share)) {
      throw expect.refuse("at most, at least, each also with a bound of its own, or within 5%");
    }
    return new Expectation(text, wanted * (1 - share), wanted * (1 + share), true);
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

  /** Latencies of a sweep's point are among the metrics, as the median over its rounds. */
  private OptionalDouble percentileUs(String arm, Of of) {
    if (of.point().isPresent()) {
      return data.index().value(place(arm, of), metric(of));
    }
    Optional<Result> result = data.result(arm, of.requestClass(), of.load());
    return LatencyStatistic.COMPARED.stream()
        .filter(quantile -> quantile.label().equals(of.at()) && result.isPresent())
        .flatMapToDouble(
            quantile ->
                result.get().byRound().get(quantile).values().stream().mapToDouble(us -> us))
        .average();
  }

  private PointMarks marks(String arm, Of of) {
    return of.point().isPresent()
        ? data.index().marks(place(arm, of))
        : data.result(arm, of.requestClass(), of.load())
            .map(PointMarks::of)
            .orElse(PointMarks.NONE);
  }

  private static String metric(Of of) {
    return LatencyStatistic.of(of.at()).orElseThrow().metric();
  }

  private static Place place(String arm, Of of) {
    return new Place(arm, of.requestClass(), of.load(), SweepPoint.named(of.point().orElseThrow()));
  }
}
