/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Pooling;
import dev.manx.lab.experiment.WrongResults;
import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.Verdict;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Comparisons in plain words, for both page and terminal. */
final class Sentences {
  /** With fewer requests of a round beyond a percentile, the value is mostly chance. */
  static final double FEW_BEYOND = 5;

  private static final String FAULTS = Pooling.COUNTER + "faults";
  private static final String SAME = "the same";

  private Sentences() {}

  /** One sentence on an arm relative to the baseline, in one class at one load. */
  static String verdict(ReportData data, String arm, String requestClass, String load) {
    return verdict(data, arm, data.baseline(), requestClass, load);
  }

  /**
   * One sentence on an arm relative to another arm.
   *
   * @param over the baseline or an arm of {@code alsoAgainst}
   */
  static String verdict(
      ReportData data, String arm, String over, String requestClass, String load) {
    List<Comparison> all = data.comparisons(arm, over, requestClass, load);
    if (all.isEmpty()) {
      return arm + " was not measured together with " + over + ".";
    }
    Verdict first = all.get(0).result().verdict();
    if (first == Verdict.SATURATED) {
      return notCompared(data, arm, over, requestClass, load);
    }
    if (first == Verdict.TOO_FEW_ROUNDS) {
      return tooFew(data, arm, all);
    }
    List<String> differences = new ArrayList<>();
    List<String> same = new ArrayList<>();
    List<String> few = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (Comparison c : all) {
      if (c.result().verdict() == Verdict.TOO_FEW_REQUESTS) {
        few.add(c.quantile().words());
      } else if (c.result().verdict() == Verdict.FAILED) {
        failed.add(c.quantile().words());
      } else if (c.result().verdict() == Verdict.LOWER || c.result().verdict() == Verdict.HIGHER) {
        String answer = factor(c.result());
        String interval = interval(c.result());
        differences.add(
            differences.isEmpty()
                ? answer + " than " + over + at(c) + " (95 % interval " + interval + ")"
                : answer + at(c) + " (" + interval + ")");
      } else {
        same.add(c.quantile().words());
      }
    }
    String unknown =
        (few.isEmpty() ? "" : "; too few requests to say at " + join(few))
            + (failed.isEmpty()
                ? ""
                : "; not compared"
                    + (failed.size() == all.size() ? " with " + over : " at " + join(failed))
                    + ": "
                    + failures(data, arm, over, requestClass, load));
    if (differences.isEmpty()) {
      String none = "no difference from " + over + " at " + join(same);
      return arm + ": " + (same.isEmpty() ? unknown.substring(2) : none + unknown) + ".";
    }
    String tail = same.isEmpty() ? "" : "; no difference at " + join(same);
    return arm + " answers " + join(differences) + tail + unknown + ".";
  }

  /** A comparison in few words, {@code P99 2.31x faster}. */
  static String chip(Comparison c) {
    String words =
        switch (c.result().verdict()) {
          case LOWER, HIGHER -> factor(c.result());
          case TOO_FEW_REQUESTS -> "too few requests";
          case NO_DIFFERENCE -> "no difference";
          case SATURATED, FAILED -> "not compared";
          case TOO_FEW_ROUNDS -> "seen " + seen(c.result());
        };
    return c.quantile().label() + " " + words;
  }

  /** {@code 2.31x faster} or {@code 1.20x slower}, from the ratio arm / baseline. */
  static String factor(PairedComparison result) {
    double ratio = result.ratio().value();
    return ratio <= 1 ? Format.unequal(1 / ratio) + "x faster" : Format.unequal(ratio) + "x slower";
  }

  /** The interval that belongs to {@link #factor}, smaller end first. */
  static String interval(PairedComparison result) {
    Estimate ratio = result.ratio();
    return ratio.value() <= 1
        ? Format.unequal(1 / ratio.hi()) + "–" + Format.unequal(1 / ratio.lo())
        : Format.unequal(ratio.lo()) + "–" + Format.unequal(ratio.hi());
  }

  /** The caveats to the verdicts of one load, in whole sentences; may be empty. */
  static Set<String> warnings(ReportData data, String load) {
    // A saturated arm is so in every class.
    Set<String> warnings = new LinkedHashSet<>();
    WrongResults.failedChecks(data.environment())
        .forEach(check -> warnings.add("The results cannot be right: " + check + "."));
    data.about()
        .missingBaseline(data.arms())
        .ifPresent(
            name ->
                warnings.add(
                    "The baseline %s was not measured; the arms are compared with %s."
                        .formatted(name, data.baseline())));
    if (data.about().quick()) {
      warnings.add("This was a quick run: its rounds are too few or too short to be trusted.");
    }
    if (data.isClosed(load)) {
      warnings.add(
          "Closed loop: a request is sent only when another has ended, so latencies hide stalls."
              + " Compare answers per second.");
    }
    for (String requestClass : data.judged()) {
      for (String arm : data.arms()) {
        data.result(arm, requestClass, load)
            .ifPresent(result -> warn(result, data.isClosed(load), warnings));
      }
    }
    for (String arm : data.arms()) {
      double faults = data.metric(FAULTS, arm, RowKey.ALL, load, "").value();
      if (faults > 0) {
        warnings.add(
            "Manx's own code threw %s in %s: stock made these decisions."
                .formatted(Format.plural((int) faults, "exception"), arm));
      }
    }
    FailedPoints.warning(data, load).ifPresent(warnings::add);
    data.result(data.baseline(), "all", load)
        .filter(base -> base.beyondPerRound(LatencyStatistic.P999) < FEW_BEYOND)
        .ifPresent(
            base ->
                warnings.add(
                    "P99.9 is close to the maximum here: of each round's requests about "
                        + Format.compact(base.beyondPerRound(LatencyStatistic.P999))
                        + " lie beyond it, "
                        + Format.compact(LatencyStatistic.P999.beyond((double) base.answered()))
                        + " in all rounds together."));
    Compilation.warning(data, load).ifPresent(warnings::add);
    LateArms.warning(data, load).ifPresent(warnings::add);
    return warnings;
  }

  private static void warn(Result result, boolean closed, Set<String> warnings) {
    String of = result.requestClass().equals("all") ? "" : result.requestClass() + ": ";
    if (result.wrong() > 0) {
      warnings.add(
          of
              + result.arm()
              + " returned "
              + Format.count(result.wrong())
              + " wrong or missing rows.");
    }
    int measured = result.byRound().get(LatencyStatistic.P50).size();
    if (measured < result.rounds()) {
      warnings.add(
          of
              + result.arm()
              + " has no latencies in "
              + (result.rounds() - measured)
              + " of "
              + Format.plural(result.rounds(), "round")
              + ": its percentiles and comparisons leave them out.");
    }
    if (result.silent() > 0) {
      warnings.add(
          of
              + result.arm()
              + " answered no request in "
              + result.silent()
              + " of "
              + Format.plural(result.rounds(), "round")
              + (closed
                  ? ": answers per second are compared except where the other arm did not answer"
                      + " any either."
                  : "."));
    }
    if (result.errors() > 0) {
      warnings.add(
          of
              + Format.count(result.errors())
              + " of "
              + Format.count(result.count())
              + " requests of "
              + result.arm()
              + " failed, timed out or were not sent.");
    }
    if (result.saturated()) {
      warnings.add(result.arm() + " was saturated: its latency is shown, but not compared.");
    }
  }

  private static String notCompared(
      ReportData data, String arm, String over, String requestClass, String load) {
    List<String> saturated = new ArrayList<>();
    for (String name : List.of(over, arm)) {
      if (data.result(name, requestClass, load).map(Result::saturated).orElse(false)) {
        saturated.add(name);
      }
    }
    return arm
        + " is not compared with "
        + over
        + ": "
        + join(saturated)
        + (saturated.size() == 1 ? " was" : " were")
        + " saturated.";
  }

  /** {@code 30 % of its requests failed}, or of the other arm's. */
  private static String failures(
      ReportData data, String arm, String over, String requestClass, String load) {
    Result its = data.result(arm, requestClass, load).orElseThrow();
    Result others = data.result(over, requestClass, load).orElseThrow();
    boolean more = its.failsMoreThan(others);
    return PointMarks.share(more ? its : others)
        + " of "
        + (more ? "its" : over + "'s")
        + " requests failed";
  }

  private static String tooFew(ReportData data, String arm, List<Comparison> all) {
    int rounds = all.get(0).result().ratio().rounds();
    String seen =
        rounds == 0 ? "" : " (seen at the median: " + seenThan(all.get(0)) + tail(data, all) + ")";
    return arm
        + ": too few rounds for a verdict, "
        + rounds
        + " of at least "
        + PairedComparison.MIN_ROUNDS
        + seen
        + ".";
  }

  private static String seenThan(Comparison c) {
    String seen = seen(c.result());
    return seen + (seen.equals(SAME) ? " as " : " than ") + c.over();
  }

  /** The result for the slowest requests, which the median does not show. */
  private static String tail(ReportData data, List<Comparison> all) {
    return all.stream()
        .filter(c -> c.quantile() == LatencyStatistic.P99 && c.result().ratio().exists())
        .filter(c -> !restsOnSingleRequests(data, c))
        .map(c -> "; at P99: " + seen(c.result()))
        .findFirst()
        .orElse("");
  }

  private static boolean restsOnSingleRequests(ReportData data, Comparison c) {
    Optional<Result> base = data.result(c.over(), c.requestClass(), c.load());
    return data.result(c.arm(), c.requestClass(), c.load())
        .flatMap(arm -> base.map(other -> arm.restsOnSingleRequests(other, c.quantile())))
        .orElse(true);
  }

  /**
   * {@link #factor} for a comparison without a verdict; indistinguishable values count as equal.
   */
  static String seen(PairedComparison result) {
    double ratio = result.ratio().value();
    return Format.ratio(Math.max(ratio, 1 / ratio)).equals("1.00") ? SAME : factor(result);
  }

  private static String at(Comparison comparison) {
    return " at " + comparison.quantile().words();
  }

  /** {@code a}, {@code a and b}, {@code a, b and c}. */
  static String join(List<String> parts) {
    int last = parts.size() - 1;
    return last < 1
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
