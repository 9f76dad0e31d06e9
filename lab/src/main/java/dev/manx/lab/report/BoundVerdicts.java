/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.ArmBound;
import dev.manx.lab.experiment.ArmBound.Quantity;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.lab.stats.Verdict;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Judges whether arms stayed within the experiment's bounds. "No difference" only means that none
 * was observed; a bound is held if the whole 95 % interval of the ratio lies within it.
 */
final class BoundVerdicts {
  /** Whether a bound holds. */
  enum State {
    /** The whole interval lies within the bound. */
    HELD,
    /** The whole interval lies beyond the bound, or the arm fails or collapses alone. */
    MISSED,
    /** The bound is inside the interval: more rounds are needed. */
    NOT_SHOWN,
    /** Not measured, an arm saturated, too few rounds or requests, or the other arm fails more. */
    NOT_JUDGED;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * Two arms whose ratio does not show whether a bound holds: the queues of only one grew, or more
   * requests of one failed.
   *
   * @param state of the bound, whatever the ratio
   * @param why in a few words
   */
  record Unequal(State state, String why) {
    static final Unequal NONE = new Unequal(State.NOT_JUDGED, "");

    boolean exists() {
      return !why.isEmpty();
    }
  }

  /**
   * One bound at one load.
   *
   * @param ratio the bound
   * @param unequal why the ratio does not decide; {@link Unequal#NONE} if it does
   */
  record Judged(
      ArmBound bound,
      Quantity quantity,
      double ratio,
      String load,
      PairedComparison result,
      Unequal unequal) {
    State state() {
      if (unequal.exists()) {
        return unequal.state();
      }
      if (result.verdict() == Verdict.SATURATED
          || result.verdict() == Verdict.FAILED
          || result.verdict() == Verdict.TOO_FEW_ROUNDS
          || result.verdict() == Verdict.TOO_FEW_REQUESTS) {
        return State.NOT_JUDGED;
      }
      boolean more = quantity == Quantity.ANSWERS;
      double best = more ? result.ratio().hi() : result.ratio().lo();
      double worst = more ? result.ratio().lo() : result.ratio().hi();
      if (more ? worst >= ratio : worst <= ratio) {
        return State.HELD;
      }
      return (more ? best < ratio : best > ratio) ? State.MISSED : State.NOT_SHOWN;
    }

    /** {@code P95}, {@code CPU per read}, with the class unless it is {@code all}. */
    String what() {
      String words =
          switch (quantity) {
            case CPU -> Costs.CPU_WORDS;
            case ANSWERS -> Costs.ANSWERS_WORDS;
            case P50, P95, P99, P999 -> quantity.latency().orElseThrow().label();
          };
      return bound.requestClass().equals("all") ? words : bound.requestClass() + " " + words;
    }

    /** {@code at most 1.04x}. */
    String limit() {
      return (quantity == Quantity.ANSWERS ? "at least " : "at most ") + Format.bound(ratio) + "x";
    }

    /** {@code manx over stock at 16 clients: P95 1.20x (1.10–1.31), at most 1.03x}. */
    String sentence() {
      return "%s over %s at %s: %s %s, %s"
          .formatted(bound.arm(), bound.over(), load, what(), measured(), limit());
    }

    /**
     * {@code 1.01x (0.99–1.03)}, with as many digits as show the verdict; a dash if it was not
     * measured.
     */
    String measured() {
      if (unequal.exists()) {
        return unequal.why();
      }
      return result.ratio().exists()
          ? "%sx (%s–%s)"
              .formatted(
                  Format.beside(result.ratio().value(), ratio),
                  Format.beside(result.ratio().lo(), ratio),
                  Format.beside(result.ratio().hi(), ratio))
          : Format.NONE;
    }
  }

  private static final PairedComparison UNMEASURED =
      new PairedComparison(Verdict.TOO_FEW_ROUNDS, Estimate.NONE);

  private BoundVerdicts() {}

  /**
   * Every bound of the experiment at every load; answers per second only in closed loops, if there
   * is one.
   */
  static List<Judged> of(
      List<ArmBound> bounds,
      List<Result> results,
      Costs.Rows rows,
      List<String> loads,
      Bootstrap bootstrap) {
    List<Judged> judged = new ArrayList<>();
    boolean someClosed = loads.stream().anyMatch(Load::isClosed);
    for (ArmBound bound : bounds) {
      for (String load : loads) {
        Map<Quantity, PairedComparison> all = new EnumMap<>(Quantity.class);
        Unequal failed = failed(bound, load, results);
        latencies(bound, load, results, bootstrap, all);
        costs(bound, load, rows, bootstrap, all);
        bound
            .ratios()
            .forEach(
                (quantity, ratio) -> {
                  if (quantity == Quantity.ANSWERS && someClosed && !Load.isClosed(load)) {
                    return;
                  }
                  PairedComparison result = all.getOrDefault(quantity, UNMEASURED);
                  Unequal unequal =
                      !failed.exists() && result.verdict() == Verdict.SATURATED
                          ? collapsed(bound, load, results)
                          : failed;
                  judged.add(new Judged(bound, quantity, ratio, load, result, unequal));
                });
      }
    }
    return List.copyOf(judged);
  }

  /**
   * {@code failed: 200 of 1 000 requests, 0 of 1 000 of stock}, if one arm fails more of its
   * requests than the other, by more than chance explains: its latencies and costs do not describe
   * the same work. The judged arm then misses its bounds; if the other arm fails more, they are not
   * judged.
   */
  private static Unequal failed(ArmBound bound, String load, List<Result> results) {
    Optional<Result> one = result(bound.arm(), bound, load, results);
    Optional<Result> other = result(bound.over(), bound, load, results);
    if (one.isEmpty() || other.isEmpty()) {
      return Unequal.NONE;
    }
    Result arm = one.get();
    Result over = other.get();
    boolean more = arm.failsMoreThan(over);
    if (!more && !over.failsMoreThan(arm)) {
      return Unequal.NONE;
    }
    return new Unequal(
        more ? missed(arm, over) : State.NOT_JUDGED,
        "failed: %s of %s requests, %s of %s of %s"
            .formatted(
                Format.count(arm.errors()),
                Format.count(arm.count()),
                Format.count(over.errors()),
                Format.count(over.count()),
                bound.over()));
  }

  /** Whether only the arm's queues grew; it then misses its bounds. */
  private static Unequal collapsed(ArmBound bound, String load, List<Result> results) {
    Optional<Result> arm = result(bound.arm(), bound, load, results).filter(Result::growing);
    Optional<Result> over = result(bound.over(), bound, load, results);
    return arm.isEmpty() || over.map(Result::growing).orElse(true)
        ? Unequal.NONE
        : new Unequal(missed(arm.get(), over.get()), "queues of " + bound.arm() + " grew");
  }

  /** Missed, unless there are too few rounds for any verdict. */
  private static State missed(Result arm, Result over) {
    return Math.min(arm.rounds(), over.rounds()) < PairedComparison.MIN_ROUNDS
        ? State.NOT_JUDGED
        : State.MISSED;
  }

  private static Optional<Result> result(
      String arm, ArmBound bound, String load, List<Result> results) {
    return results.stream()
        .filter(r -> r.arm().equals(arm) && r.load().equals(load))
        .filter(r -> r.requestClass().equals(bound.requestClass()))
        .findFirst();
  }

  private static void latencies(
      ArmBound bound,
      String load,
      List<Result> results,
      Bootstrap bootstrap,
      Map<Quantity, PairedComparison> all) {
    Optional<Result> arm = result(bound.arm(), bound, load, results);
    Optional<Result> over = result(bound.over(), bound, load, results);
    if (arm.isEmpty() || over.isEmpty()) {
      return;
    }
    for (Quantity quantity : Quantity.values()) {
      quantity
          .latency()
          .filter(LatencyStatistic.COMPARED::contains)
          .ifPresent(
              quantile ->
                  all.put(
                      quantity, ReportReader.compare(arm.get(), over.get(), quantile, bootstrap)));
    }
  }

  private static void costs(
      ArmBound bound,
      String load,
      Costs.Rows rows,
      Bootstrap bootstrap,
      Map<Quantity, PairedComparison> all) {
    // The nodes do not report for which class they use their CPU.
    if (bound.requestClass().equals(RowKey.ALL)) {
      rows.cpu(bound.arm(), bound.over(), load, bootstrap)
          .ifPresent(result -> all.put(Quantity.CPU, result));
    }
    rows.answers(bound.arm(), bound.over(), bound.requestClass(), load, bootstrap)
        .ifPresent(result -> all.put(Quantity.ANSWERS, result));
  }

  /** One table of all loads; empty without bounds. */
  static List<Table> tables(ReportData data) {
    List<Column> columns =
        List.of(
            Column.ofNames("arm"),
            Column.ofNames("over"),
            Column.ofNames(Table.LOAD),
            Column.ofNames("bound"),
            Column.ofNames(""),
            Column.of("measured"),
            Column.of(""));
    List<List<Cell>> rows = new ArrayList<>();
    for (Judged one : data.bounds()) {
      rows.add(
          List.of(
              Cell.of(one.bound().arm()),
              Cell.of(one.bound().over()),
              Cell.of(one.load()),
              Cell.of(one.what()),
              Cell.of(one.limit()),
              Cell.of(one.measured()),
              Cell.of(one.state().word()).bad(one.state() == State.MISSED)));
    }
    return rows.isEmpty() ? List.of() : List.of(new Table("bounds", columns, rows));
  }
}
