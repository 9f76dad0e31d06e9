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

/**
 * The advice, from the report of the played strategies: at the recorded load the strategy whose
 * 99th percentile is lowest, if the whole interval of its ratio to stock's is below 1, and that of
 * neither its median nor its 95th percentile is above.
 */
final class Advice {
  private static final String QUANTILE = "P99";
  private static final List<String> JUDGED = List.of("LOWER", "HIGHER", "NO_DIFFERENCE");
  private static final List<String> OTHERS = List.of("P50", "P95");

  private final JsonNode report;
  private final String load;
  private final List<String> takeable;

  /** One strategy against stock. */
  record Choice(String arm, double ratio, double lo, double hi) {
    String words() {
      return String.format(
          Locale.ROOT, "P99 %.2fx stock's (95 %% interval %.2f-%.2f)", ratio, lo, hi);
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
   * @param load the recorded one
   * @param takeable arms that may be advised
   */
  static Advice of(Path folder, String load, List<String> takeable) throws IOException {
    JsonNode report = new ObjectMapper().readTree(Files.readString(folder.resolve("report.json")));
    return new Advice(report, load, takeable);
  }

  /** Whether any of the arms was compared with stock by enough runs. */
  boolean isJudged() {
    return comparisons(QUANTILE).stream()
        .anyMatch(
            comparison ->
                takeable.contains(comparison.get("arm").asText())
                    && JUDGED.contains(comparison.get("verdict").asText()));
  }

  /** The strategy to take; none if stock is as good as any. */
  Optional<Choice> best() {
    List<Choice> choices = new ArrayList<>();
    for (JsonNode comparison : comparisons(QUANTILE)) {
      String arm = comparison.get("arm").asText();
      if (takeable.contains(arm)
          && comparison.get("verdict").asText().equals("LOWER")
          && OTHERS.stream().noneMatch(quantile -> isHigher(arm, quantile))) {
        choices.add(
            new Choice(
                arm,
                comparison.get("ratio").asDouble(),
                comparison.get("lo").asDouble(),
                comparison.get("hi").asDouble()));
      }
    }
    return choices.stream().min(Comparator.comparingDouble(Choice::ratio));
  }

  private boolean isHigher(String arm, String quantile) {
    return comparisons(quantile).stream()
        .anyMatch(
            comparison ->
                comparison.get("arm").asText().equals(arm)
                    && comparison.get("verdict").asText().equals("HIGHER"));
  }

  private List<JsonNode> comparisons(String quantile) {
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
