/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** "How this was measured": details of the method, from the run's files. */
final class Notes {
  private static final String INTERVALS =
      "The interval below it is the 95 % percentile-bootstrap interval of that median ("
          + Format.count(Bootstrap.RESAMPLES)
          + " resamples of whole rounds, fixed seed).";

  private static final String RANGES =
      "The range below it reaches from the lowest round to the highest: fewer than "
          + Estimate.MIN_ROUNDS
          + " rounds have no confidence interval.";

  private static final String BOTH =
      " Of fewer than "
          + Estimate.MIN_ROUNDS
          + " rounds it is the range from the lowest round to the highest.";

  private static final String VERDICTS =
      "; the verdict is based on the 95 % interval of the median ratio. If it contains 1, the"
          + " report says no difference.";

  private static final String ORDER =
      "The arms of a round run in a random order that is balanced over as many rounds as there are"
          + " arms, and over twice as many if their number is odd: each arm is then equally often"
          + " in each position, and follows each other arm equally often.";

  private Notes() {}

  /** {@code 11 arms in 8 rounds: balanced neighbours need 22 rounds.}; empty if all had enough. */
  private static String shortOrders(ReportData data) {
    int seeds = data.seeds();
    Set<String> orders = new LinkedHashSet<>();
    for (String load : data.loads()) {
      for (String requestClass : data.classes()) {
        List<Result> results =
            data.arms().stream()
                .flatMap(arm -> data.result(arm, requestClass, load).stream())
                .toList();
        int rounds = results.stream().mapToInt(Result::rounds).max().orElse(0) / seeds;
        int needed = BalancedOrder.rounds(results.size());
        if (rounds > 0 && rounds < needed) {
          orders.add(
              "%s in %s%s: balanced neighbours need %s"
                  .formatted(
                      Format.plural(results.size(), "arm"),
                      Format.plural(rounds, "round"),
                      seeds > 1 ? " of a seed" : "",
                      Format.plural(needed, "round")));
        }
      }
    }
    return orders.isEmpty() ? "" : " " + String.join("; ", orders) + ".";
  }

  private static String intervals(Ends ends) {
    return switch (ends) {
      case INTERVALS -> INTERVALS;
      case RANGES -> RANGES;
      case BOTH -> INTERVALS + BOTH;
    };
  }

  private static String saturation(KindWords kind) {
    return kind.saturation().isEmpty() ? "" : kind.saturation() + " ";
  }

  static List<Note> of(ReportData data) {
    List<String> closed = data.loads().stream().filter(data::isClosed).toList();
    List<String> open = data.loads().stream().filter(load -> !closed.contains(load)).toList();
    List<String> allClosed = new ArrayList<>(closed);
    allClosed.addAll(data.closedPoints());
    List<Note> notes = new ArrayList<>(data.about().kind().notes(open, allClosed));
    if (data.about().kind().ordered() && data.arms().size() > 1) {
      notes.add(new Note("Order.", ORDER + shortOrders(data)));
    }
    notes.add(
        new Note(
            "Intervals.",
            "A latency or throughput is the median over rounds of each round's own value. "
                + intervals(data.ends())
                + " Only the percentile curve is of all rounds' requests together."));
    notes.add(
        new Note(
            "Verdicts.",
            "Each round gives one ratio arm / "
                + data.baseline()
                + data.alsoAgainst().stream()
                    .map(over -> " and one arm / " + over)
                    .collect(Collectors.joining())
                + (data.ends() == Ends.RANGES ? "." : VERDICTS)
                + " With fewer than "
                + PairedComparison.MIN_ROUNDS
                + " rounds the report gives no verdict; where less than one request of a round lies"
                + " beyond a percentile, it says too few requests. "
                + saturation(data.about().kind())
                + "Intervals"
                + " are not corrected for the number of comparisons: of twenty comparisons"
                + " without a real difference, expect about one that shows a difference."));
    KindWords kind = data.about().kind();
    if (data.arms().contains("stock") && kind.engine()) {
      notes.add(
          new Note(
              "stock",
              "is the engine as shipped, without the hooks of Manx in its path. It is sent the same"
                  + " statements as the other arms, unless its entry in the experiment says"
                  + " otherwise."));
    }
    if (data.about().serviceModel()) {
      notes.add(
          new Note(
              "Service time is a model.",
              "So that a small machine suffices, each read of a node sleeps for a"
                  + " modelled time that depends on the value's size, while it holds the node's"
                  + " read thread. Queues, threads, messages and decisions are the engine's own;"
                  + " the storage's speed is not. The metrics show the intended and the real"
                  + " sleep."));
    }
    if (!kind.correctness().isEmpty()) {
      notes.add(new Note("Correctness.", kind.correctness()));
    }
    if (data.timelineRowsLeftOut() > 0) {
      notes.add(
          new Note(
              "Timelines.",
              Format.count(data.timelineRowsLeftOut())
                  + " rows of timeline.csv are not drawn: rounds that do not fit on the page, and "
                  + "points between those drawn; the file contains all rows."));
    }
    return notes;
  }
}
