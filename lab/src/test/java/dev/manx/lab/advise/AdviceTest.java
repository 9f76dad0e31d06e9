/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The advice from a report. */
@Timeout(60)
class AdviceTest {
  private static final List<String> STRATEGIES = List.of("low-fifo", "rein", "c3", "manx");

  @TempDir Path folder;

  private final List<Map<String, Object>> comparisons = new ArrayList<>();

  private void compared(String arm, String quantile, String verdict, double ratio) {
    comparisons.add(
        Map.of(
            "arm",
            arm,
            "class",
            "all",
            "load",
            "100.0/s",
            "quantile",
            quantile,
            "verdict",
            verdict,
            "ratio",
            ratio,
            "lo",
            ratio - 0.05,
            "hi",
            ratio + 0.05));
  }

  private Advice advice() throws IOException {
    Files.writeString(
        folder.resolve("report.json"),
        new ObjectMapper().writeValueAsString(Map.of("comparisons", comparisons)));
    return Advice.of(folder, "100.0/s", STRATEGIES);
  }

  private String words() throws IOException {
    return advice().best().orElseThrow().words();
  }

  @Test
  void ofStrategiesThatAreAlikeTheDefaultIsTaken() throws IOException {
    compared("unpaged", "P99", "LOWER", 0.43);
    compared("low-fifo", "P99", "LOWER", 0.360);
    compared("rein", "P99", "LOWER", 0.361);
    compared("c3", "P99", "LOWER", 0.45);
    compared("manx", "P99", "LOWER", 0.364);
    assertThat(words())
        .isEqualTo(
            "Advice: strategy manx. In the model its P99 is 0.36x stock's (95 % interval 0.31-0.41)"
                + " at the recorded load. Of this, reading multigets in parallel, which every"
                + " strategy of Manx does, gives 0.43x, and manx itself 0.85x. Within 5 % of it:"
                + " low-fifo, rein.");
  }

  @Test
  void aBetterOneIsTakenBeforeTheDefault() throws IOException {
    compared("unpaged", "P99", "NO_DIFFERENCE", 1.02);
    compared("c3", "P99", "LOWER", 0.50);
    compared("manx", "P99", "LOWER", 0.54);
    assertThat(words())
        .startsWith("Advice: strategy c3. In the model its P99 is 0.50x")
        .doesNotContain("parallel", "Within");
  }

  @Test
  void aStrategyThatIsSlowerElsewhereIsNotAdvised() throws IOException {
    compared("manx", "P99", "LOWER", 0.5);
    compared("manx", "P50", "HIGHER", 1.2);
    compared("rein", "P99", "NO_DIFFERENCE", 0.99);
    assertThat(advice().isJudged()).isTrue();
    assertThat(advice().best()).isEmpty();
  }

  /** Many equal runs show a gain that is far below the error of the model. */
  @Test
  void aGainThatIsNearlyNoneIsNotAdvised() throws IOException {
    compared("c3", "P99", "LOWER", 0.97);
    assertThat(advice().isJudged()).isTrue();
    assertThat(advice().best()).isEmpty();
    compared("rein", "P99", "LOWER", 0.94);
    assertThat(words()).startsWith("Advice: strategy rein.").endsWith("Within 5 % of it: c3.");
  }

  @Test
  void withoutAVerdictNothingIsJudged() throws IOException {
    compared("unpaged", "P99", "LOWER", 0.5);
    compared("manx", "P99", "TOO_FEW", 0.5);
    assertThat(advice().isJudged()).isFalse();
    assertThat(advice().best()).isEmpty();
  }

  @Test
  void theFileForNodesHoldsTheWholeStrategyInShadow() {
    Strategy manx = Strategy.parse("manx", "strategy: manx", () -> 0);
    ConfigNode file = ConfigNode.parse("manx.yaml", NodeFile.of("manx", manx));
    assertThat(file.at("plugin").at("mode").text()).isEqualTo("shadow");
    assertThat(NodeFile.of("manx", manx))
        .as("it would reset the others, with which the model was made")
        .contains("# Strategy manx,", "Replace only the key `strategy` of your manx.yaml:")
        .contains("\n# its other settings, such as unpage-up-to, matter for the prediction.\n");
    assertThat(Strategy.of(file.at("strategy"), () -> 0).document()).isEqualTo(manx.document());
  }
}
