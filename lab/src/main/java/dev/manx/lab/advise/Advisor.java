/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.lab.advise.Advice.Best;
import dev.manx.lab.advise.MeasuredLatencies.Interval;
import dev.manx.lab.experiment.DecisionLogFile;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.RecordedLogs;
import dev.manx.simulator.recorded.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/**
 * Recommends a strategy for a recorded cluster, in three steps: {@link #of} fits a model to the
 * logs, {@link #experiment} describes the simulations, {@link #advice} draws the conclusion.
 */
public final class Advisor {
  /** Largest deviation of simulated from measured stock for which advice is given. */
  public static final double FAR = 0.2;

  private static final long CHECK_REQUESTS = 60_000;
  private static final long CHECK_SEED = 2;

  /** Runs of which one must be stable: the end of a run may lie in a burst. */
  private static final int MOST_CHECKS = 3;

  private final List<Path> logs;
  private final ClusterModel model;
  private final MeasuredLatencies ends;
  private final LatencyPercentiles measured;
  private final LatencyPercentiles played;
  private final boolean stable;
  private final Doubts doubts;

  Advisor(List<Path> logs, ClusterModel model) {
    this(logs, model, CHECK_REQUESTS);
  }

  /**
   * @param checkRequests least number of requests of each run that is compared with the recording
   */
  Advisor(List<Path> logs, ClusterModel model, long checkRequests) {
    this.logs = logs;
    this.model = model;
    ends = MeasuredLatencies.of(model.recording());
    measured = ends.latencies();
    Outcome stock = check(model, checkRequests, CHECK_SEED);
    played = LatencyPercentiles.played(stock);
    boolean isStable = isStable(stock);
    for (int more = 1; more < MOST_CHECKS && !isStable; more++) {
      isStable = isStable(check(model, checkRequests, CHECK_SEED + more));
    }
    stable = isStable;
    doubts = Doubts.of(model);
  }

  private static Outcome check(ClusterModel model, long requests, long seed) {
    return model.play(model.stock().document(true), requests, seed);
  }

  private static boolean isStable(Outcome outcome) {
    return outcome.metrics().get(Outcome.STABLE) >= 0.5;
  }

  /**
   * Reads logs.
   *
   * @param logs decision logs of different nodes, recorded at the same time in mode shadow
   * @throws ConfigException if a log is invalid
   */
  public static Recording read(List<Path> logs) throws IOException {
    RecordedLogs read = new RecordedLogs();
    for (Path log : logs) {
      read.add(
          log.toString(),
          DecisionLogFile.map(log)
              .orElseThrow(
                  () ->
                      new ConfigException(
                          "advise", 0, "LOG", log.toString(), DecisionLogFile.ALLOWED)));
    }
    Recording recording = read.recording();
    if (recording.logs().stream().anyMatch(NodeRecord::acted)) {
      throw new ConfigException(
          "advise",
          0,
          "LOG",
          "recorded in mode on",
          "logs recorded in mode shadow, which show stock's behaviour");
    }
    return recording;
  }

  /** The beginning of a sentence if advice is impossible with any model; empty otherwise. */
  public static Optional<String> unfit(Recording recording) {
    return Doubts.unfit(recording, ArrivalShape.of(recording)).stream().findFirst();
  }

  /**
   * Fits a model to a recording.
   *
   * @param logs its files
   * @param progress receives the fraction done, from 0 to 1
   * @throws ConfigException if no model can be fitted
   */
  public static Advisor of(List<Path> logs, Recording recording, DoubleConsumer progress) {
    try {
      ArrivalShape shape = ArrivalShape.of(recording);
      return new Advisor(logs, ClusterModel.fit(recording, shape, progress));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("advise", 0, "LOG", e.getMessage(), "logs of nodes under load");
    }
  }

  /**
   * The result.
   *
   * @param given whether advice is given
   * @param strategy the recommended arm; empty to keep stock
   */
  public record Advised(boolean given, Optional<String> strategy) {
    static final Advised NOTHING = new Advised(false, Optional.empty());
  }

  /** Whether the model reproduces measured stock. */
  public boolean holds() {
    return stable && doubts.grave().isEmpty() && played.distanceFrom(measured) <= FAR;
  }

  /**
   * The results for users: each strategy at each load.
   *
   * @param folder of the results, with their report
   * @param loads factors of the recorded load
   */
  public String table(Path folder, List<Double> loads) throws IOException {
    return AdviceTable.of(folder, model, loads);
  }

  /** Describes the recording and the fit of the model. */
  public List<String> words() {
    Recording recording = model.recording();
    List<String> words = new ArrayList<>();
    words.add(
        text(
            "%d of %d nodes, %,d requests planned, %,d ended, %.1f s",
            recording.logs().size(),
            recording.nodes().size(),
            recording.requests().size(),
            recording.logs().stream().mapToLong(log -> log.ends().size()).sum(),
            recording.logs().stream().mapToLong(NodeRecord::spanNanos).max().orElseThrow() / 1e9));
    recorded(recording).ifPresent(words::add);
    words.add(
        text(
            "%s requests/s of %.2f reads%s; a read takes %s on one of %d read threads; in the"
                + " model: %.0f %% busy",
            AdviceFile.perSecond(model.requestsPerSecond()),
            recording.meanReads(),
            asked(recording),
            millis(model.source().meanServiceNanos()),
            model.readThreads(),
            100 * model.utilisation()));
    ReadThreads.of(recording, model.readThreads())
        .map(
            threads ->
                text(
                    "as recorded: a read took %s on its thread, read threads were %.0f %% busy, and"
                        + " %.0f %% on the busiest node, %s",
                    millis(threads.readNanos()),
                    100 * threads.busy(),
                    100 * threads.busiest().share(),
                    threads.busiest().node()))
        .ifPresent(words::add);
    Interval p99 = ends.interval(0.99);
    words.add(
        text(
            "stock measured:  P50 %s  P95 %s  P99 %s (95 %% interval %s to %s)",
            millis(measured.p50()),
            millis(measured.p95()),
            millis(measured.p99()),
            millis(p99.lo()),
            limit(p99.hi())));
    words.add(
        text(
            "stock simulated: P50 %s (%s)  P95 %s (%s)  P99 %s (%s)",
            millis(played.p50()),
            percent(played.p50() / measured.p50()),
            millis(played.p95()),
            percent(played.p95() / measured.p95()),
            millis(played.p99()),
            percent(played.p99() / measured.p99())));
    words.add(
        text(
            "the model: stock chooses replicas by %s; a message takes %s (fitted to P5)",
            model.stock().words(), millis(model.oneWayNanos())));
    words.add("arrivals: " + ArrivalWords.of(model.shape()));
    doubts.all().forEach(doubt -> words.add("note: " + doubt));
    return words;
  }

  /**
   * What the model does not know of strategies, in lines like those of {@link #words}.
   *
   * @param arms strategies by name
   */
  public List<String> notes(Map<String, Strategy> arms) {
    return RecordedForecasts.differ(model.recording(), arms).stream()
        .map(note -> "note: " + note)
        .toList();
  }

  /**
   * The experiment in the format of {@code manx run}.
   *
   * @param loads factors of the recorded load
   * @param arms strategies by name, each a preset or a file
   * @param seeds number of seeds
   * @param requests number of requests per run
   */
  public String experiment(List<Double> loads, Map<String, String> arms, int seeds, long requests) {
    return AdviceFile.text(model, logs, loads, arms, seeds, requests);
  }

  /**
   * The conclusion from the results.
   *
   * @param folder of the results, with their report
   * @param arms arms that may be recommended
   * @param say receives the sentences
   * @return the advice, if any
   */
  public Advised advice(Path folder, List<String> arms, Consumer<String> say) throws IOException {
    if (!holds()) {
      say.accept("No advice: " + why());
      return Advised.NOTHING;
    }
    Advice advice = Advice.of(folder, AdviceFile.rate(model, 1), arms);
    if (!advice.isJudged()) {
      say.accept(
          "No advice: no strategy has a verdict at P99; play at least 8 seeds (--seeds) with more"
              + " requests (--requests), or record at a load that stock can serve.");
      return Advised.NOTHING;
    }
    Optional<Best> best = advice.best();
    say.accept(
        best.map(
                taken ->
                    text(
                        "%s The interval covers the runs only; simulated stock is within %.0f %% of"
                            + " measured stock.",
                        taken.words(), 100 * played.distanceFrom(measured)))
            .orElse(
                text(
                    "Advice: stay with stock. In the model no strategy has a P99 more than %.0f %%"
                        + " lower without a higher median or P95.",
                    100 * (Advice.ALIKE - 1))));
    return new Advised(true, best.map(taken -> taken.choice().arm()));
  }

  private String why() {
    if (!doubts.grave().isEmpty()) {
      return doubts.grave().get(0) + ".";
    }
    if (!stable) {
      return "the model cannot serve the load that the cluster served.";
    }
    // Not by chance: recordings that are too short to show this are doubtful above.
    return text(
        "simulated stock is %.0f %% from measured stock (more than %.0f %%), so the model does not"
            + " fit this cluster; the notes above may name the cause, and docs/operate/advise.md the"
            + " limits of the model.",
        100 * played.distanceFrom(measured), 100 * FAR);
  }

  /** When the logs were recorded, by the clocks of their nodes. */
  private static Optional<String> recorded(Recording recording) {
    List<NodeRecord> dated =
        recording.logs().stream().filter(log -> log.started().isPresent()).toList();
    return dated.stream()
        .flatMap(log -> log.started().stream())
        .min(Comparator.naturalOrder())
        .map(
            from ->
                "recorded from "
                    + from
                    + " to "
                    + dated.stream()
                        .flatMap(log -> log.ended().stream())
                        .max(Comparator.naturalOrder())
                        .orElse(from)
                        .truncatedTo(ChronoUnit.SECONDS)
                    + ", by the nodes' clocks");
  }

  private static String asked(Recording recording) {
    double replicas = recording.meanExecutions() / recording.meanReads();
    return replicas > 1 ? text(", each at %.2f replicas", replicas) : "";
  }

  private static String percent(double ratio) {
    return text("%+.0f %%", 100 * (ratio - 1));
  }

  private static String limit(double nanos) {
    return Double.isInfinite(nanos) ? "unknown" : millis(nanos);
  }

  private static String millis(double nanos) {
    return text(nanos < 1e8 ? "%.3g ms" : "%.0f ms", nanos / 1e6);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
