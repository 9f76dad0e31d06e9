/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The measurements of one turn, filled in by its kind. Confined to one thread at a time. */
public final class Measured {
  /** Requests answered per second, a metric of a sweep's points. */
  public static final String THROUGHPUT = SummaryRow.THROUGHPUT;

  /** Share of the requests without an answer, percent; a metric of a sweep's points. */
  public static final String FAILED = "failed_pct";

  /**
   * The requests of one class.
   *
   * @param count measured
   * @param errors requests without an answer
   * @param wrong answers that were wrong or incomplete
   * @param perSecond successful answers per second
   * @param meanNanos mean latency, which may be more exact than the histogram's
   * @param nanos latencies from the intended start
   */
  public record Latency(
      long count, long errors, long wrong, double perSecond, double meanNanos, Histogram nanos) {
    /** Uses the mean of the histogram. */
    public Latency(long count, long errors, long wrong, double perSecond, Histogram nanos) {
      this(count, errors, wrong, perSecond, nanos.getMean(), nanos);
    }
  }

  /**
   * A metric.
   *
   * @param name with its unit
   * @param params {@code name=value} joined by {@code ;}, or empty
   */
  public record Metric(String name, String params, double value) {}

  /** A band on the timelines; seconds since the window's start. */
  public record Mark(double fromSeconds, double toSeconds, String label) {
    /** The metric of its row in {@code metrics.csv}, whose params are the following. */
    public static final String METRIC = "mark";

    public static final String FROM = "from";

    public static final String TO = "to";

    public static final String LABEL = "label";

    /** The params, as in {@code metrics.csv}. */
    String params() {
      return "%s=%s;%s=%s;%s=%s"
          .formatted(FROM, number(fromSeconds), TO, number(toSeconds), LABEL, label);
    }

    private static String number(double seconds) {
      double hundredths = Math.round(seconds * 100) / 100.0;
      return hundredths == Math.rint(hundredths)
          ? Long.toString((long) hundredths)
          : Double.toString(hundredths);
    }
  }

  private final double startSeconds;
  private final double windowSeconds;
  private final Map<String, Latency> classes = new LinkedHashMap<>();
  private final List<Metric> metrics = new ArrayList<>();
  private final List<Outcome.Point> timeline = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private Map<String, Long> failures = Map.of();
  private Boolean growing;
  private double utilisationPct = Double.NaN;
  private double foreignCores;
  private double stolenCores;

  /**
   * Starts empty.
   *
   * @param startSeconds start of the window since the experiment's start
   * @param windowSeconds length of the window
   */
  public Measured(double startSeconds, double windowSeconds) {
    this.startSeconds = startSeconds;
    this.windowSeconds = windowSeconds;
  }

  public Measured latency(String requestClass, Latency latency) {
    classes.put(requestClass, latency);
    return this;
  }

  /** Adds a metric; non-finite values were not measured and are left out. */
  public Measured metric(String name, String params, double value) {
    if (Double.isFinite(value)) {
      metrics.add(new Metric(name, params, value));
    }
    return this;
  }

  public Measured metric(String name, double value) {
    return metric(name, "", value);
  }

  public Measured metrics(Map<String, Double> values) {
    values.forEach(this::metric);
    return this;
  }

  public Measured moment(double seconds, String entity, String metric, double value) {
    timeline.add(new Outcome.Point(seconds, entity, metric, value));
    return this;
  }

  /** Adds points of the timeline; seconds since the window's start. */
  public Measured timeline(List<Outcome.Point> points) {
    timeline.addAll(points);
    return this;
  }

  public Measured mark(double fromSeconds, double toSeconds, String label) {
    marks.add(new Mark(fromSeconds, toSeconds, label.replace(';', ',')));
    return this;
  }

  public Measured check(String name, boolean holds, String detail) {
    return checks(List.of(new Check(name, holds, detail)));
  }

  /** Adds verdicts on conditions that must hold in every turn. */
  public Measured checks(List<Check> verdicts) {
    checks.addAll(verdicts);
    return this;
  }

  /** Sets the numbers of failed requests by reason, warm-up included. */
  public Measured failures(Map<String, Long> byReason) {
    failures = Map.copyOf(byReason);
    return this;
  }

  /**
   * Sets whether latency may be compared.
   *
   * @param backlogGrows whether the number of open requests kept growing
   * @param usedPct share of the capacity, if queues dominate above a limit; otherwise NaN
   */
  public Measured queues(boolean backlogGrows, double usedPct) {
    growing = backlogGrows;
    utilisationPct = usedPct;
    return this;
  }

  /** Sets the load of other programs meanwhile, in cores. */
  public Measured noise(double foreign, double stolen) {
    foreignCores = foreign;
    stolenCores = stolen;
    return this;
  }

  /** Adds the latencies of all requests of the turn as metrics, for a point without a summary. */
  void latenciesAsMetrics() {
    Latency all = first();
    for (LatencyStatistic statistic : LatencyStatistic.values()) {
      metric(statistic.metric(), statistic.us(all));
    }
    metric(THROUGHPUT, all.perSecond());
    metric(FAILED, 100.0 * all.errors() / all.count());
  }

  /** Start of the window since the experiment's start. */
  public double startSeconds() {
    return startSeconds;
  }

  public double windowSeconds() {
    return windowSeconds;
  }

  /** By class, in the order of the rows. */
  public Map<String, Latency> classes() {
    return classes;
  }

  /** Its first class: all requests, or the only case. */
  public Latency first() {
    return classes.values().iterator().next();
  }

  /** A metric without parameters; NaN if it was not measured. */
  public double value(String metric) {
    return metrics.stream()
        .filter(one -> one.name().equals(metric) && one.params().isEmpty())
        .mapToDouble(Metric::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  public List<Metric> metrics() {
    return metrics;
  }

  public List<Outcome.Point> timeline() {
    return timeline;
  }

  List<Mark> marks() {
    return marks;
  }

  public List<Check> checks() {
    return checks;
  }

  /** The reasons of failed requests, the most frequent first; empty without any. */
  String failureWords() {
    return failures.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(one -> one.getValue() + " " + one.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Whether queues were examined. */
  boolean knowsQueues() {
    return growing != null;
  }

  boolean isGrowing() {
    return growing != null && growing;
  }

  double utilisationPct() {
    return utilisationPct;
  }

  double foreignCores() {
    return foreignCores;
  }

  public double stolenCores() {
    return stolenCores;
  }
}
