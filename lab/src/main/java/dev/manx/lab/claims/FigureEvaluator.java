/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.FigureSpec.Case;
import dev.manx.lab.claims.FigureSpec.Take;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Computes figures from rows. Sides are paired by seed and round, as in the report; a figure is the
 * median over rounds with its 95 % bootstrap interval. Confined to one thread.
 */
final class FigureEvaluator {
  private static final double PERCENT = 100;

  private final ResultRows rows;
  private final Bootstrap bootstrap = Bootstrap.standard();

  FigureEvaluator(ResultRows rows) {
    this.rows = rows;
  }

  /**
   * The figure; empty if a case was not measured, or was saturated or failing although not allowed.
   * With several cases, there is no figure if one of them fails, and all cases except saturated
   * ones must have been measured: the maximum of a subset would be too favourable.
   */
  Optional<Figure> of(FigureSpec spec) {
    if (!spec.evenSaturated() && fails(spec)) {
      return Optional.empty();
    }
    Map<Object, Figure> groups = new LinkedHashMap<>();
    for (Case one : spec.cases()) {
      boolean saturated = sides(one).anyMatch(rows::saturated);
      if (saturated && !spec.evenSaturated()) {
        continue;
      }
      Estimate value = value(one, spec.as());
      if (!value.exists()) {
        return Optional.empty();
      }
      Figure figure = new Figure(value, spec.take() == Take.ONLY ? "" : name(one, spec));
      Operand side = one.side();
      Object group =
          spec.take() == Take.MAX_OF_LEAST
              ? List.of(side.arm(), side.requestClass(), side.load(), side.params())
              : one;
      groups.merge(group, figure, (x, y) -> extreme(x, y, true));
    }
    return groups.values().stream().reduce((x, y) -> extreme(x, y, spec.take() == Take.MIN));
  }

  /**
   * The smaller or the larger of two figures. Its interval is that of the minimum or maximum: the
   * other one may be more extreme, within its own interval.
   */
  static Figure extreme(Figure x, Figure y, boolean least) {
    Estimate a = x.value();
    Estimate b = y.value();
    Figure of = a.value() < b.value() == least ? x : y;
    Estimate whole =
        new Estimate(
            of.value().value(),
            least ? Math.min(a.lo(), b.lo()) : Math.max(a.lo(), b.lo()),
            least ? Math.min(a.hi(), b.hi()) : Math.max(a.hi(), b.hi()),
            Math.min(a.rounds(), b.rounds()));
    return new Figure(whole, of.of());
  }

  /** Whether there is no figure because an arm failed, or because each case has a saturated arm. */
  boolean saturated(FigureSpec spec) {
    return !spec.evenSaturated()
        && (fails(spec)
            || spec.cases().stream().allMatch(one -> sides(one).anyMatch(rows::saturated)));
  }

  private boolean fails(FigureSpec spec) {
    return spec.cases().stream().flatMap(FigureEvaluator::sides).anyMatch(rows::failing);
  }

  private static Stream<Operand> sides(Case one) {
    return Stream.concat(Stream.of(one.side()), one.over().stream());
  }

  private Estimate value(Case one, FigureSpec.Form form) {
    Map<String, Double> own = rows.rounds(one.side());
    if (one.over().isEmpty()) {
      return own.isEmpty()
          ? rows.pooled(one.side()).orElse(Estimate.NONE)
          : bootstrap.median(array(own));
    }
    Map<String, Double> base = rows.rounds(one.over().get());
    own.keySet().retainAll(base.keySet());
    base.keySet().retainAll(own.keySet());
    if (own.isEmpty()) {
      return unpaired(one, form);
    }
    return switch (form) {
      case VALUE, DIFFERENCE -> bootstrap.median(differences(own, base));
      case RATIO -> ratio(own, base);
      case GAIN -> ratio(base, own);
      case REDUCTION -> percent(ratio(own, base), -1);
      case INCREASE -> percent(ratio(own, base), 1);
    };
  }

  /** The estimate for a run that pooled its rounds: without pairs there is no interval. */
  private Estimate unpaired(Case one, FigureSpec.Form form) {
    Optional<Estimate> own = rows.pooled(one.side());
    Optional<Estimate> base = rows.pooled(one.over().orElseThrow());
    if (own.isEmpty() || base.isEmpty()) {
      return Estimate.NONE;
    }
    double x = own.get().value();
    double y = base.get().value();
    double value =
        switch (form) {
          case VALUE, DIFFERENCE -> x - y;
          case RATIO -> x / y;
          case GAIN -> y / x;
          case REDUCTION -> PERCENT * (1 - x / y);
          case INCREASE -> PERCENT * (x / y - 1);
        };
    return Double.isFinite(value) ? new Estimate(value, Double.NaN, Double.NaN, 1) : Estimate.NONE;
  }

  /** A ratio needs positive numbers; otherwise there is no figure. */
  private Estimate ratio(Map<String, Double> arm, Map<String, Double> base) {
    boolean positive =
        Stream.concat(arm.values().stream(), base.values().stream()).allMatch(value -> value > 0);
    return positive ? PairedComparison.of(arm, base, false, bootstrap).ratio() : Estimate.NONE;
  }

  private static Estimate percent(Estimate ratio, int sign) {
    double value = sign * PERCENT * (ratio.value() - 1);
    double one = sign * PERCENT * (ratio.lo() - 1);
    double other = sign * PERCENT * (ratio.hi() - 1);
    return new Estimate(value, Math.min(one, other), Math.max(one, other), ratio.rounds());
  }

  private static double[] differences(Map<String, Double> own, Map<String, Double> base) {
    Map<String, Double> differences = new LinkedHashMap<>();
    own.forEach((block, value) -> differences.put(block, value - base.get(block)));
    return array(differences);
  }

  private static double[] array(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The distinguishing name of a case. */
  private static String name(Case one, FigureSpec spec) {
    List<String> parts = new ArrayList<>();
    Operand side = one.side();
    if (vary(spec, s -> s.arm())) {
      parts.add(side.arm());
    }
    if (one.over().isPresent()
        && spec.cases().stream().map(c -> c.over().orElseThrow().arm()).distinct().count() > 1) {
      parts.add("against " + one.over().get().arm());
    }
    if (vary(spec, s -> s.quantity())) {
      parts.add(side.quantity());
    }
    if (vary(spec, s -> s.load())) {
      parts.add(side.load());
    }
    if (vary(spec, s -> s.requestClass())) {
      parts.add(side.requestClass());
    }
    if (!side.params().isEmpty() && vary(spec, s -> s.params().toString())) {
      parts.add(words(side.params()));
    }
    return String.join(", ", parts);
  }

  /** {@code b8}; several with their keys, {@code model.cores=8, value.bytes=1024}. */
  private static String words(Map<String, String> params) {
    return params.size() == 1
        ? String.join("", params.values())
        : params.entrySet().stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static boolean vary(
      FigureSpec spec, java.util.function.Function<Operand, String> property) {
    return spec.cases().stream().map(Case::side).map(property).distinct().count() > 1;
  }
}
