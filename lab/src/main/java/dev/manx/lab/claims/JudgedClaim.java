/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A claim with our figures and what follows from them.
 *
 * @param figures those that exist, by name
 * @param clear whether every interval that decided says the same as its value
 */
record JudgedClaim(Claim claim, Map<String, Figure> figures, Verdict verdict, boolean clear) {
  /**
   * Judges by the claim's rules alone: reproduced if all its rules hold, else regime found if there
   * are rules for one and all hold, else out of reach in the same way, else refuted; untried if a
   * figure is missing that the first rules ask for.
   *
   * @param source the figure of a description, if its results are there
   */
  static JudgedClaim of(Claim claim, Function<FigureSpec, Optional<Figure>> source) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    claim
        .figures()
        .forEach((name, spec) -> source.apply(spec).ifPresent(f -> figures.put(name, f)));
    claim.example().ifPresent(example -> figures.putAll(example.play()));
    if (claim.reproduced().isEmpty() || !canTell(claim.reproduced(), figures)) {
      return new JudgedClaim(claim, figures, Verdict.UNTRIED, true);
    }
    if (hold(claim.reproduced(), figures)) {
      return new JudgedClaim(
          claim, figures, Verdict.REPRODUCED, allClear(claim.reproduced(), figures));
    }
    if (applies(claim.regime(), figures)) {
      return new JudgedClaim(claim, figures, Verdict.REGIME, allClear(claim.regime(), figures));
    }
    if (applies(claim.beyond(), figures)) {
      return new JudgedClaim(claim, figures, Verdict.BEYOND, allClear(claim.beyond(), figures));
    }
    return new JudgedClaim(
        claim, figures, Verdict.REFUTED, oneClearlyFails(claim.reproduced(), figures));
  }

  /** Whether there are such rules and all hold. */
  private static boolean applies(Map<String, Rule> rules, Map<String, Figure> figures) {
    return !rules.isEmpty() && canTell(rules, figures) && hold(rules, figures);
  }

  private static boolean canTell(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .allMatch(
            rule ->
                figures.containsKey(rule.getKey())
                    && rule.getValue().other().map(figures::containsKey).orElse(true));
  }

  private static boolean hold(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .allMatch(rule -> rule.getValue().holds(figures.get(rule.getKey()), figures));
  }

  private static boolean allClear(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .allMatch(rule -> rule.getValue().isClear(figures.get(rule.getKey()), figures));
  }

  private static boolean oneClearlyFails(Map<String, Rule> rules, Map<String, Figure> figures) {
    return rules.entrySet().stream()
        .anyMatch(
            rule -> {
              Figure figure = figures.get(rule.getKey());
              return !rule.getValue().holds(figure, figures)
                  && rule.getValue().isClear(figure, figures);
            });
  }

  /** The verdict as the page says it. */
  String words() {
    return verdict == Verdict.REGIME && !claim.regimeWords().isEmpty()
        ? claim.regimeWords()
        : verdict.words();
  }

  /** The remark for the verdict that was reached, or empty. */
  String remark() {
    return claim.remarks().getOrDefault(verdict, "");
  }
}
