/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static dev.manx.workload.result.RowKey.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.lab.experiment.RunException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a result folder to the page, with invented results. */
class ClaimsTest {
  private static final Function<Path, Optional<String>> CANNOT_TELL = file -> Optional.empty();
  private static final double NONE = Double.NaN;

  @TempDir private Path root;

  /** Arm a has b's median, and of its P99 in each round such a part. */
  private Path results(String name, double... ratios) throws IOException {
    Path folder = root.resolve(name);
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("experiment.yaml"),
        "experiment: trial\non: simulator\nquick: false\nmodel: { nodes: 3 }\nloads: [70%]\n"
            + "seeds: [1, 2, 3, 4, 5]\nrequests: 1000\narms: { a: {}, b: {} }\n");
    new Environment(
            Instant.EPOCH.toString(), 2, 1L << 30, "os", "1", "a cpu", "a vm", "abc1234", Map.of())
        .write(folder);
    try (RowWriter<SummaryRow> out = RowWriter.create(folder, SummaryRow.FORMAT);
        RowWriter<MetricRow> metrics = RowWriter.create(folder, MetricRow.FORMAT)) {
      for (int seed = 1; seed <= ratios.length; seed++) {
        double base = 10_000 * seed;
        summary(out, "a", "" + seed, "1", base * ratios[seed - 1], base / 4);
        summary(out, "b", "" + seed, "1", base, base / 4);
        metrics.append(
            MetricRow.of(
                new RowKey("trial", "a", ALL, "70%", "" + seed, "1"), "reads_per_s", 100.0 + seed));
      }
      summary(out, "a", ALL, ALL, 1, 1);
      summary(out, "b", ALL, ALL, 1, 1);
      for (String arm : List.of("a", "b")) {
        RowKey key = new RowKey("trial", arm, ALL, "70%", ALL, ALL);
        metrics.append(MetricRow.of(key, "saturated", 0));
        metrics.append(
            new MetricRow(key, "zipf=1.5", "latency_p99_us", arm.equals("a") ? 3 : 6, NONE, NONE));
      }
    }
    return folder;
  }

  private static void summary(
      RowWriter<SummaryRow> out, String arm, String seed, String round, double p99Us, double p50Us)
      throws IOException {
    RowKey key = new RowKey("trial", arm, ALL, "70%", seed, round);
    out.append(
        new SummaryRow(
            key, 100, 0, 0, 50, p99Us / 2, p50Us, p99Us / 3, p99Us / 2, p99Us, p99Us, p99Us, NONE,
            NONE));
  }

  private Claims claims(String... claims) {
    StringBuilder text =
        new StringBuilder(
            """
            paper: X
            title: a paper
            setup: somewhere
            runs: { trial: { file: examples/trial.yaml } }
            claims:
            """);
    for (String claim : claims) {
      text.append("  - { id: X-1, setting: all, published: half, ").append(claim).append(" }\n");
    }
    return Claims.of(List.of(PaperReader.read("x.yaml", text.toString())), root);
  }

  private JudgedClaim judge(Path folder, String claim) throws IOException {
    Claims claims = claims(claim);
    claims.from(folder, CANNOT_TELL);
    return claims.tried().get(0).claims().get(0);
  }

  private static final String HALF =
      "figures: { P99: { of: P99, arm: a, over: b } }, reproduced: { P99: at most 0.6 }";

  @Test
  void figuresArePairedInsideRounds() throws Exception {
    // The levels differ fivefold between seeds, the ratios hardly.
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.48, 0.51, 0.49), HALF);
    assertThat(judged.verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(judged.clear()).isTrue();
    assertThat(judged.figures().get("P99").value().value()).isCloseTo(0.5, within(1e-9));
    assertThat(judged.figures().get("P99").value().rounds()).isEqualTo(5);
    assertThat(judged.figures().get("P99").value().lo()).isBetween(0.47, 0.5);
  }

  @Test
  void everyForm() throws Exception {
    Path folder = results("r", 0.5, 0.5, 0.5);
    Map<String, Double> wanted =
        Map.of(
            "ratio", 0.5, "gain", 2.0, "reduction", 50.0, "increase", -50.0, "difference", -10.0);
    for (Map.Entry<String, Double> form : wanted.entrySet()) {
      JudgedClaim judged =
          judge(folder, "figures: { f: { of: P99, arm: a, over: b, as: " + form.getKey() + " } }");
      // The median seed has 20 ms.
      assertThat(judged.figures().get("f").value().value())
          .as(form.getKey())
          .isCloseTo(form.getValue(), within(1e-9));
      assertThat(judged.verdict())
          .as("nothing is judged without a rule")
          .isEqualTo(Verdict.UNTRIED);
    }
    JudgedClaim value = judge(folder, "figures: { f: { of: reads_per_s, arm: a } }");
    assertThat(value.figures().get("f").value().value()).isEqualTo(102);
    JudgedClaim pooled =
        judge(folder, "figures: { f: { of: P99, arm: a, over: b, params: { zipf: 1.5 } } }");
    assertThat(pooled.figures().get("f").value().value()).isEqualTo(0.5);
    assertThat(pooled.figures().get("f").value().rounds()).isEqualTo(1);
  }

  @Test
  void theLargestOfSeveralCasesIsNamed() throws Exception {
    String figure =
        "figures: { f: { of: [P50, P99], arm: [a, b], over: b, take: max } },"
            + " reproduced: { f: at most 1 }";
    JudgedClaim judged = judge(results("r", 1.2, 1.3, 1.4), figure);
    assertThat(judged.verdict()).isEqualTo(Verdict.REFUTED);
    assertThat(judged.figures().get("f").value().value()).isCloseTo(1.3, within(1e-9));
    assertThat(judged.figures().get("f").of()).isEqualTo("a, P99");
  }

  /** An arm that is good at one percentile alone is not good at both. */
  @Test
  void theLargestOfTheLeastLooksAtEachArmAsAWhole() throws Exception {
    Path folder = results("r", 0.5, 0.5, 0.5);
    JudgedClaim judged =
        judge(
            folder,
            "figures: { f: { of: [P50, P99], arm: [a, b], over: b, as: reduction,"
                + " take: max-of-least } }");
    assertThat(judged.figures().get("f").value().value()).isCloseTo(0, within(1e-9));
    assertThat(judge(folder, HALF).verdict()).isEqualTo(Verdict.REPRODUCED);
  }

  @Test
  void aCaseThatIsMissingLeavesNoFigure() throws Exception {
    JudgedClaim judged =
        judge(
            results("r", 0.5, 0.5),
            "figures: { f: { of: P99, arm: [a, c], over: b, take: min } },"
                + " reproduced: { f: at most 1 }");
    assertThat(judged.verdict()).isEqualTo(Verdict.UNTRIED);
    assertThat(judged.figures()).isEmpty();
  }

  @Test
  void anIntervalThatHoldsTheBoundIsClose() throws Exception {
    JudgedClaim judged = judge(results("r", 0.3, 0.9, 0.55, 0.7, 0.4), HALF);
    assertThat(judged.verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(judged.clear()).isFalse();
    JudgedClaim single = judge(results("one", 0.9), HALF);
    assertThat(single.verdict()).isEqualTo(Verdict.REFUTED);
    assertThat(single.clear()).as("one round proves little").isFalse();
  }

  @Test
  void anotherRegimeCountsOnlyWhereTheClaimDoesNot() throws Exception {
    String regime =
        "figures: { f: { of: P99, arm: a, over: b },"
            + " g: { of: P99, arm: a, over: b, params: { zipf: 1.5 } } },"
            + " reproduced: { f: at most 0.4 }, regime: { g: at most 0.5 },"
            + " remarks: { regime: only with skew, refuted: never shown }";
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.51), regime);
    assertThat(judged.verdict()).isEqualTo(Verdict.REGIME);
    assertThat(judged.remark()).isEqualTo("only with skew");
    assertThat(judge(results("s", 0.3, 0.3), regime).verdict()).isEqualTo(Verdict.REPRODUCED);
  }

  @Test
  void aRegimeMayHaveWordsOfItsOwn() throws Exception {
    String regime =
        "figures: { f: { of: P99, arm: a, over: b } }, reproduced: { f: at most 0.4 },"
            + " regime: { f: at most 0.6 }, regime-words: needs skew";
    assertThat(judge(results("r", 0.5, 0.52, 0.51), regime).words()).isEqualTo("needs skew");
    assertThat(judge(results("s", 0.3, 0.3), regime).words()).isEqualTo("reproduced");
    assertThat(judge(results("t", 0.7, 0.7), regime).words()).isEqualTo("refuted");
  }

  @Test
  void aClaimThatNoBoundReachesIsOutOfReach() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b }, bound: { of: P99, arm: b, over: a } },"
            + " reproduced: { f: at most 0.1 }, regime: { f: at most 0.2 },"
            + " beyond: { bound: at least 1.5 }, remarks: { beyond: see the bound }";
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.51), claim);
    assertThat(judged.verdict()).isEqualTo(Verdict.BEYOND);
    assertThat(judged.words()).isEqualTo("out of reach");
    assertThat(judged.remark()).isEqualTo("see the bound");
    assertThat(judge(results("s", 0.8, 0.8), claim).verdict()).isEqualTo(Verdict.REFUTED);
  }

  @Test
  void figuresCanBeComparedWithEachOther() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b }, g: { of: P99, arm: b, over: a } },"
            + " reproduced: { f: below figure g }";
    assertThat(judge(results("r", 0.5, 0.52, 0.51), claim).verdict()).isEqualTo(Verdict.REPRODUCED);
    assertThat(judge(results("s", 1.5, 1.52, 1.51), claim).verdict()).isEqualTo(Verdict.REFUTED);
  }

  @Test
  void saturatedArmsAreNotCompared() throws Exception {
    Path folder = results("r", 0.5, 0.5);
    Path file = folder.resolve("metrics.csv");
    Files.writeString(
        file, Files.readString(file).replace("all,all,,saturated,0", "all,all,,saturated,1"));
    assertThat(judge(folder, HALF).verdict()).isEqualTo(Verdict.UNTRIED);
    assertThat(judge(folder, HALF.replace("over: b", "over: b, even-saturated: true")).verdict())
        .isEqualTo(Verdict.REPRODUCED);
  }

  @Test
  void thePageShowsWhatWasStoredAndNothingElse() throws Exception {
    Claims claims = claims(HALF + ", remarks: { refuted: not shown, reproduced: shown }");
    assertThat(claims.page()).contains("| not yet tried |").contains("not stored yet");
    claims.from(results("r", 0.5, 0.52, 0.48, 0.51, 0.49), CANNOT_TELL);
    claims.write();
    assertThat(claims.stale()).isEmpty();
    assertThat(claims.page())
        .contains("P99: **0.5x** (0.48–0.52); at most 0.6 | reproduced |")
        .contains("* **X-1**, reproduced: shown")
        .contains("5 rounds, seeds 1,2,3,4,5, 1000 requests each; revision abc1234; 2 cores")
        .doesNotContain("not shown");
    Path stored = root.resolve("docs/research/claims/results/trial");
    assertThat(Files.readString(stored.resolve("summary.csv"))).contains("trial,a,all,70%,1,1");
    assertThat(Files.readString(stored.resolve("metrics.csv"))).doesNotContain("reads_per_s");
    String written = Files.readString(claims.file());
    Files.writeString(claims.file(), written.replace("0.5x", "0.1x"));
    assertThat(claims.stale()).get().asString().contains("should be: | **X-1** |");
  }

  @Test
  void moreIsNotALessBelowNothing() throws Exception {
    Path folder = results("r", 1.5, 1.52, 1.6);
    for (String form : List.of("reduction", "increase")) {
      Claims claims = claims("figures: { f: { of: P99, arm: a, over: b, as: " + form + " } }");
      claims.from(folder, CANNOT_TELL);
      assertThat(claims.page()).contains("f: **52 % higher** (50–60)").doesNotContain("-5");
    }
    Claims judged =
        claims(
            "figures: { f: { of: P99, arm: a, over: b, as: reduction } },"
                + " reproduced: { f: at least 60 }");
    judged.from(folder, CANNOT_TELL);
    assertThat(judged.page()).contains("f: **52 % higher** (50–60); at least 60 % lower");
    Path less = results("s", 0.5, 0.52, 0.6);
    Claims claims = claims("figures: { f: { of: P99, arm: a, over: b, as: increase } }");
    claims.from(less, CANNOT_TELL);
    assertThat(claims.page()).contains("f: **48 % lower** (40–50)");
  }

  @Test
  void settingsAreStoredAndComparedWithTheFileAgain() throws Exception {
    Claims claims = claims(HALF);
    Path folder = results("r", 0.5, 0.5);
    String good = Files.readString(folder.resolve("experiment.yaml"));
    claims.from(folder, file -> Optional.of(good));
    assertThat(claims.page()).doesNotContain("settings were not stored");
    assertThat(claims.outdated(file -> Optional.of(good))).isEmpty();
    Path settings = root.resolve("docs/research/claims/results/trial/experiment.yaml");
    String other = good.replace("nodes: 3", "nodes: 9");
    assertThat(claims.outdated(file -> Optional.of(file.equals(settings) ? good : other)))
        .containsOnlyKeys("trial")
        .containsEntry("trial", List.of("model.nodes was 3 and is 9"));
    String newer = good.replace("nodes: 3", "nodes: 3, racks: 1");
    assertThat(claims.outdated(file -> Optional.of(newer)))
        .as("a setting that did not exist has its default in the stored run")
        .isEmpty();
    Files.writeString(settings, good.replace("nodes: 3", "nodes: 9"));
    assertThatThrownBy(claims::page).hasMessageContaining("not those that were stored");
  }

  /** Each case of a contention experiment has rounds and arms of its own. */
  @Test
  void choicesOfACaseOnTheCommandLineAreNotDifferences() {
    String ran = "cases: { pinned: { rounds: 2, window: 1s, arms: [a] } }\narms: { a: {} }\n";
    String now = "cases: { pinned: { rounds: 8, window: 1s, arms: [a, b] } }\narms: { a: {} }\n";
    assertThat(SettingsDifference.differing(ConfigNode.parse("ran", ran), Optional.of(now)))
        .isEmpty();
    assertThat(
            SettingsDifference.differing(
                ConfigNode.parse("ran", ran), Optional.of(now.replace("1s", "2s"))))
        .containsExactly("cases.pinned.window was 1s and is 2s");
  }

  @Test
  void rowsThatAHandHasChangedAreRefused() throws Exception {
    Claims claims = claims(HALF);
    claims.from(results("r", 0.9, 0.9), CANNOT_TELL);
    Path rows = root.resolve("docs/research/claims/results/trial/summary.csv");
    Files.writeString(rows, Files.readString(rows).replace("9000", "1000"));
    assertThatThrownBy(claims::page)
        .isInstanceOf(RunException.class)
        .hasMessageContaining("not those that were stored");
  }

  @Test
  void foldersThatProveNothingAreRefused() throws Exception {
    Claims claims = claims(HALF);
    Path folder = results("r", 0.5);
    Path experiment = folder.resolve("experiment.yaml");
    String good = Files.readString(experiment);
    refused(claims, root, "is not a result folder");
    Files.writeString(experiment, good.replace("experiment: trial", "experiment: other"));
    refused(claims, folder, "no claim uses the experiment 'other'");
    Files.writeString(experiment, good.replace("quick: false", "quick: true"));
    refused(claims, folder, "quick run");
    Files.writeString(experiment, good);
    assertThatThrownBy(
            () -> claims.from(folder, file -> Optional.of(good.replace("nodes: 3", "nodes: 9"))))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("model.nodes was 3 and is 9");
    // What the command line may choose, and arms that were left out, make no other experiment.
    String more = good.replace("b: {}", "b: {}, c: {}").replace("requests: 1000", "requests: 9");
    assertThat(claims.from(folder, file -> Optional.of(more))).isEqualTo("trial");
  }

  private static void refused(Claims claims, Path folder, String words) {
    assertThatThrownBy(() -> claims.from(folder, CANNOT_TELL))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(words);
  }

  @Test
  void theCommandNamesWhatWasChosen() throws Exception {
    Path file = root.resolve("examples/trial.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, "loads: [50%, 70%]\nseeds: [1]\nrequests: 1_000\narms: { a: {}, b: {}, c: {} }\n");
    Claims claims = claims(HALF);
    claims.from(results("r", 0.5, 0.5), CANNOT_TELL);
    assertThat(claims.page())
        .contains("`./manx run examples/trial.yaml --arms a,b --loads 70% --seeds 1,2,3,4,5`");
  }

  @Test
  void unknownNamesAreRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> claims(HALF).files("Y"))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("all, X, trial");
    assertThat(claims(HALF).files("X")).containsOnlyKeys("trial");
  }
}
