/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

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
 * @param clear whether every deciding interval agrees with its value
 */
record JudgedClaim(Claim claim, Map<String, Figure> figures, ClaimVerdict verdict, boolean clear) {
  /**
   * Judges by the claim's rules alone: reproduced if all its rules hold; else regime found if it
   * has rules for one and all hold; else not even the ideal, likewise; else refuted. Untried if a
   * figure of the first rules is missing, or saturated if that alone is why.
   *
   * @param source the figure of a specification, if its results exist
   * @param saturated whether a specification has no figure because arms were saturated
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
          claim, figures, tried ? ClaimVerdict.SATURATED : ClaimVerdict.UNTRIED, true);
    }
    if (hold(claim.reproduced(), figures)) {
      return new JudgedClaim(
          claim, figures, ClaimVerdict.REPRODUCED, allClear(claim.reproduced(), figures));
    }
    if (applies(claim.regime(), figures)) {
      return new JudgedClaim(
          claim, figures, ClaimVerdict.REGIME, allClear(claim.regime(), figures));
    }
    if (applies(claim.beyond(), figures)) {
      return new JudgedClaim(
          claim, figures, ClaimVerdict.BEYOND, allClear(claim.beyond(), figures));
    }
    return new JudgedClaim(
        claim, figures, ClaimVerdict.REFUTED, oneClearlyFails(claim.reproduced(), figures));
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
