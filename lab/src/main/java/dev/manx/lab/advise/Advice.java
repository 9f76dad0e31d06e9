/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The advice, from the report of the simulated strategies: the strategy with the lowest 99th
 * percentile at the recorded load, if the whole interval of its ratio to stock's is below 1, and
 * the intervals of its median and 95th percentile are not above 1. If several are nearly as low,
 * the lowest is chance: stock is kept if it is among them, else the default strategy is chosen if
 * it is.
 */
final class Advice {
  /** Strategies whose ratios differ by no more than this factor count as equal. */
  static final double ALIKE = 1.05;

  /** The percentile that decides. */
  static final String QUANTILE = "P99";

  private static final String DEFAULT = "manx";
  private static final List<String> JUDGED = List.of("LOWER", "HIGHER", "NO_DIFFERENCE");
  private static final List<String> OTHERS = List.of("P50", "P95");

  private final JsonNode report;
  private final String load;
  private final List<String> takeable;

  /** A strategy compared with stock. */
  record Choice(String arm, double ratio, double lo, double hi) {
    String words() {
      return String.format(Locale.ROOT, "%.2fx stock's (95 %% interval %.2f-%.2f)", ratio, lo, hi);
    }
  }

  /**
   * The recommendation.
   *
   * @param choice the strategy
   * @param alike other strategies that are as good, within {@link #ALIKE}
   * @param unpaged stock with multigets read in parallel, if that alone is better than stock
   */
  record Best(Choice choice, List<String> alike, Optional<Choice> unpaged) {
    String words() {
      StringBuilder words = new StringBuilder();
      words.append("Advice: strategy ").append(choice.arm()).append(". In the model its P99 is ");
      words.append(choice.words()).append(" at the recorded load.");
      unpaged.ifPresent(
          alone ->
              words.append(
                  String.format(
                      Locale.ROOT,
                      " Of this, reading multigets in parallel, which every strategy of Manx does,"
                          + " gives %.2fx, and %s itself %.2fx.",
                      alone.ratio(),
                      choice.arm(),
                      choice.ratio() / alone.ratio())));
      if (!alike.isEmpty()) {
        words.append(
            String.format(
                Locale.ROOT,
                " Within %.0f %% of it: %s.",
                100 * (ALIKE - 1),
                String.join(", ", alike)));
      }
      return words.toString();
    }
  }

  private Advice(JsonNode report, String load, List<String> takeable) {
    this.report = report;
    this.load = load;
    this.takeable = takeable;
  }

  /**
   * Reads a report.
   *
   * @param folder of the results, with its report
   * @param load the recorded load
   * @param takeable arms that may be recommended
   */
  static Advice of(Path folder, String load, List<String> takeable) throws IOException {
    return new Advice(report(folder), load, takeable);
  }

  /** The report of a result folder as data. */
  static JsonNode report(Path folder) throws IOException {
    return new ObjectMapper().readTree(Files.readString(folder.resolve("report.json")));
  }

  /** Whether any arm was compared with stock in enough runs. */
  boolean isJudged() {
    return comparisons(QUANTILE).stream()
        .anyMatch(
            comparison ->
                takeable.contains(comparison.get("arm").asText())
                    && JUDGED.contains(comparison.get("verdict").asText()));
  }

  /** The recommended strategy; empty if stock is as good as any, within {@link #ALIKE}. */
  Optional<Best> best() {
    List<Choice> better = new ArrayList<>(takeable.stream().flatMap(this::better).toList());
    better.sort(Comparator.comparingDouble(Choice::ratio));
    double bound = better.isEmpty() ? 1 : ALIKE * better.get(0).ratio();
    if (bound >= 1) {
      return Optional.empty();
    }
    better.removeIf(choice -> choice.ratio() > bound);
    Choice taken =
        better.stream()
            .filter(choice -> choice.arm().equals(DEFAULT))
            .findFirst()
            .orElse(better.get(0));
    return Optional.of(
        new Best(
            taken,
            better.stream().filter(choice -> choice != taken).map(Choice::arm).toList(),
            better(AdviceFile.UNPAGED).findFirst()));
  }

  /** The choice of the arm, if it is better than stock at P99 and not worse elsewhere. */
  private Stream<Choice> better(String arm) {
    return comparisons(QUANTILE).stream()
        .filter(comparison -> comparison.get("arm").asText().equals(arm))
        .filter(comparison -> comparison.get("verdict").asText().equals("LOWER"))
        .filter(comparison -> OTHERS.stream().noneMatch(quantile -> isHigher(arm, quantile)))
        .map(
            comparison ->
                new Choice(
                    arm,
                    comparison.get("ratio").asDouble(),
                    comparison.get("lo").asDouble(),
                    comparison.get("hi").asDouble()));
  }

  private boolean isHigher(String arm, String quantile) {
    return comparisons(quantile).stream()
        .anyMatch(
            comparison ->
                comparison.get("arm").asText().equals(arm)
                    && comparison.get("verdict").asText().equals("HIGHER"));
  }

  private List<JsonNode> comparisons(String quantile) {
    return comparisons(report, load, quantile);
  }

  /** The comparisons of all requests at a load and percentile. */
  static List<JsonNode> comparisons(JsonNode report, String load, String quantile) {
    List<JsonNode> some = new ArrayList<>();
    for (JsonNode comparison : report.get("comparisons")) {
      if (comparison.get("class").asText().equals("all")
          && comparison.get("load").asText().equals(load)
          && comparison.get("quantile").asText().equals(quantile)) {
        some.add(comparison);
      }
    }
    return some;
  }
}
