/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.stats.Estimate;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rule that a figure must satisfy: inside a closed interval, or on one side of another figure.
 *
 * @param text as written
 * @param least smallest value that passes, may be minus infinity
 * @param most largest value that passes, may be infinity
 * @param above the figure that it must be above, for such a rule
 * @param below the figure that it must be below, for such a rule
 */
record Rule(
    String text, double least, double most, Optional<String> above, Optional<String> below) {
  private static final String ALLOWED =
      "at most X, at least X, exactly X, from X to Y, within P% of X (numbers; the first two also of"
          + " four fifths of X or five quarters of X), above figure NAME or below figure NAME";
  private static final Pattern AT_MOST = Pattern.compile("at most (\\S+)");
  private static final Pattern AT_LEAST = Pattern.compile("at least (\\S+)");
  private static final Pattern EXACTLY = Pattern.compile("exactly (\\S+)");
  private static final Pattern FROM_TO = Pattern.compile("from (\\S+) to (\\S+)");
  private static final Pattern WITHIN = Pattern.compile("within (\\S+%) of (\\S+)");
  private static final Pattern OTHER = Pattern.compile("(above|below) figure (.+)");
  private static final Pattern OF_PUBLISHED =
      Pattern.compile("at (most|least) (four fifths|five quarters) of (\\S+)");

  /** The part of the effect in a published number that must be reproduced. */
  private static final double FOUR_FIFTHS = 0.8;

  /** The factor up to which a published cost may be exceeded. */
  private static final double FIVE_QUARTERS = 1.25;

  /** The relation of a figure's whole interval to a rule. */
  enum Reading {
    /** The whole interval agrees with the rule. */
    HOLDS,
    /** The whole interval disagrees with it. */
    FAILS,
    /** The interval contains the bound, so the rounds do not decide. */
    OPEN
  }

  /**
   * Reads a rule.
   *
   * @throws dev.manx.policy.config.ConfigException if it is not a rule
   */
  static Rule of(ConfigNode node) {
    String text = node.text();
    Matcher match = OF_PUBLISHED.matcher(text);
    if (match.matches()) {
      double part = match.group(2).equals("four fifths") ? FOUR_FIFTHS : FIVE_QUARTERS;
      double bound = part * number(node, match.group(3));
      return match.group(1).equals("most")
          ? between(text, Double.NEGATIVE_INFINITY, bound)
          : between(text, bound, Double.POSITIVE_INFINITY);
    }
    match = AT_MOST.matcher(text);
    if (match.matches()) {
      return between(text, Double.NEGATIVE_INFINITY, number(node, match.group(1)));
    }
    match = AT_LEAST.matcher(text);
    if (match.matches()) {
      return between(text, number(node, match.group(1)), Double.POSITIVE_INFINITY);
    }
    match = EXACTLY.matcher(text);
    if (match.matches()) {
      return between(text, number(node, match.group(1)), number(node, match.group(1)));
    }
    match = FROM_TO.matcher(text);
    if (match.matches()) {
      return between(text, number(node, match.group(1)), number(node, match.group(2)));
    }
    match = WITHIN.matcher(text);
    if (match.matches()) {
      OptionalDouble share = Units.fraction(match.group(1));
      double middle = number(node, match.group(2));
      double room = share.orElseThrow(() -> node.refuse(ALLOWED)) * Math.abs(middle);
      return between(text, middle - room, middle + room);
    }
    match = OTHER.matcher(text);
    if (match.matches()) {
      Optional<String> name = Optional.of(match.group(2));
      return match.group(1).equals("above")
          ? new Rule(text, Double.NaN, Double.NaN, name, Optional.empty())
          : new Rule(text, Double.NaN, Double.NaN, Optional.empty(), name);
    }
    throw node.refuse(ALLOWED);
  }

  private static Rule between(String text, double least, double most) {
    return new Rule(text, least, most, Optional.empty(), Optional.empty());
  }

  private static double number(ConfigNode node, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw node.refuse(ALLOWED);
    }
  }

  /** The other figure that it refers to, if any. */
  Optional<String> other() {
    return above.isPresent() ? above : below;
  }

  /**
   * Whether a figure passes.
   *
   * @param all figures by name, including the other one
   */
  boolean holds(Figure figure, Map<String, Figure> all) {
    double value = figure.value().value();
    if (above.isPresent()) {
      return value > all.get(above.get()).value().value();
    }
    if (below.isPresent()) {
      return value < all.get(below.get()).value().value();
    }
    return least <= value && value <= most;
  }

  /**
   * The reading of the whole interval; the range of too few rounds counts like an interval.
   *
   * @param all figures by name, including the other one
   */
  Reading read(Figure figure, Map<String, Figure> all) {
    Estimate own = whole(figure);
    boolean inside;
    boolean outside;
    if (other().isPresent()) {
      Estimate than = whole(all.get(other().get()));
      boolean over = own.lo() > than.hi();
      boolean under = own.hi() < than.lo();
      inside = above.isPresent() ? over : under;
      outside = above.isPresent() ? under : over;
    } else {
      inside = least <= own.lo() && own.hi() <= most;
      outside = own.hi() < least || most < own.lo();
    }
    return inside ? Reading.HOLDS : outside ? Reading.FAILS : Reading.OPEN;
  }

  /** Whether it is judged by fewer rounds than an interval needs. */
  boolean hasFewRounds(Figure figure, Map<String, Figure> all) {
    return figure.value().isRange()
        || other().map(name -> all.get(name).value().isRange()).orElse(false);
  }

  /** A figure without an interval is as wide as its value. */
  private static Estimate whole(Figure figure) {
    Estimate own = figure.value();
    return Double.isNaN(own.lo())
        ? new Estimate(own.value(), own.value(), own.value(), own.rounds())
        : own;
  }

  /** The bound that a published number gives; empty if the text has the bound itself. */
  OptionalDouble derivedBound() {
    if (!OF_PUBLISHED.matcher(text).matches()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Double.isInfinite(most) ? least : most);
  }
}
