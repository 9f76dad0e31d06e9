/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.Rule.Reading;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A claim with our figures and the resulting verdict.
 *
 * @param figures existing figures by name
 * @param doubt what may still change the verdict
 */
record JudgedClaim(Claim claim, Map<String, Figure> figures, ClaimVerdict verdict, Doubt doubt) {
  /** The aspects of a verdict that more rounds may change. */
  enum Doubt {
    NONE(""),
    /** An interval of the other setting contains its bound. */
    CLOSE("close"),
    /** A deciding figure has too few rounds for an interval. */
    FEW_ROUNDS("few rounds");

    private final String words;

    Doubt(String words) {
      this.words = words;
    }

    /** As printed after the verdict. */
    String words() {
      return words;
    }
  }

  /**
   * Judges by the claim's rules alone. If a rule fails with the whole interval of its figure:
   * regime found if there are rules for one and all hold; else not even the ideal, likewise; else
   * refuted. If none fails so: reproduced if all hold with their whole intervals, else not decided.
   * Untried if a figure of the first rules is missing, or saturated if that is the only reason.
   *
   * @param source the figure of a specification, if its results exist
   * @param saturated whether a specification has no figure because arms were saturated or failed
   */
  static JudgedClaim of(
      Claim claim, Function<FigureSpec, Optional<Figure>> source, Predicate<FigureSpec> saturated) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    claim
        .figures()
        .forEach((name, spec) -> source.apply(spec).ifPresent(f -> figures.put(name, f)));
    claim.example().ifPresent(example -> figures.putAll(example.play()));
    if (claim.reproduced().isEmpty() || !canTell(claim.reproduced(), figures)) {
      boolean explained =
          needed(claim.reproduced())
              .filter(name -> !figures.containsKey(name))
              .allMatch(name -> saturated.test(claim.figures().get(name)));
      boolean tried = !claim.reproduced().isEmpty() && explained;
      return new JudgedClaim(
          claim, figures, tried ? ClaimVerdict.SATURATED : ClaimVerdict.UNTRIED, Doubt.NONE);
    }
    Map<String, Rule> failing = only(Reading.FAILS, claim.reproduced(), figures);
    if (failing.isEmpty()) {
      Map<String, Rule> open = only(Reading.OPEN, claim.reproduced(), figures);
      return open.isEmpty()
          ? new JudgedClaim(
              claim, figures, ClaimVerdict.REPRODUCED, doubt(claim.reproduced(), figures))
          : new JudgedClaim(claim, figures, ClaimVerdict.UNDECIDED, least(open, figures));
    }
    for (Map.Entry<ClaimVerdict, Map<String, Rule>> other : others(claim).entrySet()) {
      Map<String, Rule> rules = other.getValue();
      if (applies(rules, figures)) {
        Doubt failed = least(failing, figures);
        Doubt own = doubt(rules, figures);
        return new JudgedClaim(
            claim, figures, other.getKey(), failed.compareTo(own) > 0 ? failed : own);
      }
    }
    return new JudgedClaim(claim, figures, ClaimVerdict.REFUTED, least(failing, figures));
  }

  private static Map<ClaimVerdict, Map<String, Rule>> others(Claim claim) {
    Map<ClaimVerdict, Map<String, Rule>> others = new EnumMap<>(ClaimVerdict.class);
    others.put(ClaimVerdict.REGIME, claim.regime());
    others.put(ClaimVerdict.BEYOND, claim.beyond());
    return others;
  }

  private static Map<String, Rule> only(
      Reading reading, Map<String, Rule> rules, Map<String, Figure> figures) {
    Map<String, Rule> chosen = new LinkedHashMap<>(rules);
    chosen
        .entrySet()
        .removeIf(rule -> rule.getValue().read(figures.get(rule.getKey()), figures) != reading);
    return chosen;
  }

  /** The doubt where all of these rules are needed. */
  private static Doubt doubt(Map<String, Rule> rules, Map<String, Figure> figures) {
    if (few(rules, figures).anyMatch(few -> few)) {
      return Doubt.FEW_ROUNDS;
    }
    return only(Reading.OPEN, rules, figures).isEmpty() ? Doubt.NONE : Doubt.CLOSE;
  }

  /** The doubt where any of these rules suffices. */
  private static Doubt least(Map<String, Rule> rules, Map<String, Figure> figures) {
    return few(rules, figures).allMatch(few -> few) ? Doubt.FEW_ROUNDS : Doubt.NONE;
  }

  private static Stream<Boolean> few(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .map(rule -> rule.getValue().hasFewRounds(figures.get(rule.getKey()), figures));
  }

  /** Whether the rules exist and all hold. */
  private static boolean applies(Map<String, Rule> rules, Map<String, Figure> figures) {
    return !rules.isEmpty() && canTell(rules, figures) && hold(rules, figures);
  }

  private static boolean canTell(Map<String, Rule> rules, Map<String, Figure> figures) {
    return needed(rules).allMatch(figures::containsKey);
  }

  /** The figures that rules refer to. */
  private static Stream<String> needed(Map<String, Rule> rules) {
    return rules.entrySet().stream()
        .flatMap(rule -> Stream.concat(Stream.of(rule.getKey()), rule.getValue().other().stream()));
  }

  private static boolean hold(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .allMatch(rule -> rule.getValue().holds(figures.get(rule.getKey()), figures));
  }

  /** The verdict as printed on the page. */
  String words() {
    return verdict == ClaimVerdict.REGIME && !claim.regimeWords().isEmpty()
        ? claim.regimeWords()
        : verdict.words();
  }

  /** The remark for the actual verdict, or empty. */
  String remark() {
    return claim.remarks().getOrDefault(verdict, "");
  }
}
