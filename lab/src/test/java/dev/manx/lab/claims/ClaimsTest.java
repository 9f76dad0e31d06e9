/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.stats.Estimate;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Results are stored, compared with their files, and shown on a page. */
class ClaimsTest extends InventedClaims {
  @Test
  void thePageShowsWhatWasStoredAndNothingElse() throws Exception {
    Claims claims = claims(HALF + ", remarks: { refuted: not shown, reproduced: shown }");
    assertThat(claims.page()).contains("| not yet tried |").contains("not stored yet");
    claims.from(results("r", 0.5, 0.52, 0.48, 0.51, 0.49), CANNOT_TELL);
    claims.write();
    assertThat(claims.stale()).isEmpty();
    assertThat(claims.page())
        .contains("P99: **0.5x** (range 0.48–0.52); at most 0.6 | reproduced, few rounds |")
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
      assertThat(claims.page()).contains("f: **52 % higher** (range 50–60)").doesNotContain("-5");
    }
    Claims judged =
        claims(
            "figures: { f: { of: P99, arm: a, over: b, as: reduction } },"
                + " reproduced: { f: at least 60 }");
    judged.from(folder, CANNOT_TELL);
    assertThat(judged.page()).contains("f: **52 % higher** (range 50–60); at least 60 % lower");
    Path less = results("s", 0.5, 0.52, 0.6);
    Claims claims = claims("figures: { f: { of: P99, arm: a, over: b, as: increase } }");
    claims.from(less, CANNOT_TELL);
    assertThat(claims.page()).contains("f: **48 % lower** (range 40–50)");
  }

  @Test
  void theCommandNamesWhatWasChosen() throws Exception {
    Path folder = results("r", 0.5, 0.5);
    String file =
        Files.readString(folder.resolve("experiment.yaml"))
            .replace("[70%]", "[50%, 70%]")
            .replace("[1, 2, 3, 4, 5]", "[1]")
            .replace("b: {} }", "b: {}, c: {} }");
    Claims claims = claims(HALF);
    claims.from(folder, name -> Optional.of(file));
    assertThat(claims.page())
        .contains("`./manx run examples/trial.yaml --arms a,b --loads 70% --seeds 1,2,3,4,5`");
  }

  private static String command(String file, String ran) {
    return SettingsDifference.command(
        "x.yaml", Optional.of(file), ConfigNode.parse("ran", ran + "\narms: { a: {} }\n"));
  }

  @Test
  void theCommandCanBePastedIntoAShell() {
    assertThat(command("loads: [4 clients]\narms: { a: {} }\n", "loads: [16 clients, 70%]"))
        .isEqualTo("./manx run x.yaml --loads '16 clients,70%'");
  }

  @Test
  void theCommandNamesWhatTheFileLacksAndWhatHasNoOption() {
    String file = "arms: { a: {} }\nwindow: 6s\nbaseline: a\ncases: { pinned: { rounds: 8 } }\n";
    String same = "window: 6000ms\nbaseline: a\ncases: { pinned: { rounds: 8 } }";
    assertThat(command(file, same)).isEqualTo("./manx run x.yaml");
    assertThat(command(file, same.replace("6000ms", "12s").replace("baseline: a", "baseline: b")))
        .isEqualTo("./manx run x.yaml --set window=12s --set baseline=b");
    assertThat(command(file, same.replace("8", "16")))
        .isEqualTo("./manx run x.yaml --set cases.pinned.rounds=16");
    assertThat(command(file, "requests: 5_000")).isEqualTo("./manx run x.yaml --requests 5000");
    assertThat(command(file, "requests: 0")).isEqualTo("./manx run x.yaml");
  }

  /** A short window has few requests, as few rounds have. */
  @Test
  void aShorterWindowIsRefused() {
    Optional<String> file = Optional.of("window: 6s\narms: { a: {} }\n");
    assertThat(SettingsDifference.fewer(ConfigNode.parse("ran", "window: 200ms"), file))
        .containsExactly("window: 200ms instead of 6s");
    assertThat(SettingsDifference.fewer(ConfigNode.parse("ran", "window: 12s"), file)).isEmpty();
    assertThat(SettingsDifference.fewer(ConfigNode.parse("ran", "requests: 9000"), file))
        .containsExactly("requests: 9000 instead of a window of 6s");
    Optional<String> counted = Optional.of("requests: 5000\narms: { a: {} }\n");
    assertThat(SettingsDifference.fewer(ConfigNode.parse("ran", "requests: 4999"), counted))
        .containsExactly("requests: 4999 instead of 5000");
    assertThat(SettingsDifference.fewer(ConfigNode.parse("ran", "requests: 9000"), counted))
        .isEmpty();
  }

  /** By hand: c may be 0.9 although its median is below a's. */
  @Test
  void theLargestOfSeveralHasTheIntervalOfTheMaximum() {
    Figure a = new Figure(new Estimate(0.50, 0.49, 0.51, 8), "a");
    Figure c = new Figure(new Estimate(0.48, 0.3, 0.9, 6), "c");
    assertThat(FigureEvaluator.extreme(a, c, false))
        .isEqualTo(new Figure(new Estimate(0.50, 0.49, 0.9, 6), "a"));
    assertThat(FigureEvaluator.extreme(a, c, true))
        .isEqualTo(new Figure(new Estimate(0.48, 0.3, 0.51, 6), "c"));
  }

  /** Above another reduction means less of an increase, which is how both are printed. */
  @Test
  void aComparisonOfTurnedFiguresIsPrintedInTheirRulesTerms() throws Exception {
    Claims claims =
        claims(
            "figures: { f: { of: P99, arm: a, over: b, as: reduction },"
                + " g: { of: mean, arm: a, over: b, as: reduction } },"
                + " reproduced: { f: above figure g, g: below figure f }");
    claims.from(results("r", 1.5, 1.52, 1.6), CANNOT_TELL);
    assertThat(claims.page())
        .contains("f: **52 % higher** (range 50–60); reduction above that of g<br>")
        .contains("g: **52 % higher** (range 50–60); reduction below that of f |");
    claims.from(results("s", 0.5, 0.5), CANNOT_TELL);
    assertThat(claims.page()).contains("; above figure g<br>");
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

  @Test
  void aRunWithoutStoredSettingsIsNamed() throws Exception {
    Claims claims = claims(HALF);
    assertThat(claims.unchecked()).as("nothing is stored").isEmpty();
    claims.from(results("r", 0.5, 0.5), CANNOT_TELL);
    assertThat(claims.unchecked()).isEmpty();
    forgetSettings();
    assertThat(claims.outdated(CANNOT_TELL)).isEmpty();
    assertThat(claims.unchecked()).containsExactly("trial");
  }

  /** The folder of this test is no working copy, so nothing is known of its commits. */
  @Test
  void changesOfCodeAreThoseOfTheKindsModulesAndUnknownWithoutGit() throws Exception {
    Claims claims = claims(HALF);
    claims.from(results("r", 0.5, 0.5), CANNOT_TELL);
    Function<String, List<String>> modules =
        on ->
            switch (on) {
              case "simulator" -> List.of("policy", "simulator");
              case "contention" -> List.of("contention");
              default -> List.of();
            };
    assertThat(claims.changedCode(modules))
        .containsExactly("trial: commits since abc1234 that changed policy, simulator: unknown");
    forgetSettings();
    assertThat(claims.changedCode(modules))
        .containsExactly("trial: commits since abc1234 that changed an unknown kind: unknown");
    Path file = root.resolve("examples/trial.yaml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "experiment: trial\non: contention\n");
    assertThat(claims.changedCode(modules).get(0)).contains("changed contention: unknown");
  }

  private void forgetSettings() throws Exception {
    Path stored = root.resolve("docs/research/claims/results/trial");
    Files.delete(stored.resolve("experiment.yaml"));
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String rows : List.of("summary.csv", "metrics.csv")) {
      digest.update(Files.readAllBytes(stored.resolve(rows)));
    }
    Path provenance = stored.resolve("provenance.yaml");
    Files.writeString(
        provenance,
        Files.readString(provenance)
            .replaceAll("rows: .*", "rows: " + HexFormat.of().formatHex(digest.digest())));
  }

  /** Each case of a contention experiment has rounds and arms of its own. */
  @Test
  void choicesOfACaseOnTheCommandLineAreNotDifferences() {
    String ran = "cases: { pinned: { rounds: 2, window: 1s, arms: [a] } }\narms: { a: {} }\n";
    String now = "cases: { pinned: { rounds: 8, window: 1s, arms: [a, b] } }\narms: { a: {} }\n";
    assertThat(SettingsDifference.differing(ConfigNode.parse("ran", ran), Optional.of(now), true))
        .isEmpty();
    assertThat(
            SettingsDifference.differing(
                ConfigNode.parse("ran", ran), Optional.of(now.replace("1s", "2s")), true))
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
    // Options of the command line and omitted arms do not make it another experiment.
    String more = good.replace("b: {}", "b: {}, c: {}").replace("requests: 1000", "requests: 9");
    assertThat(claims.from(folder, file -> Optional.of(more))).isEqualTo("trial");
  }

  /** A simulation of one seed is not marked as quick, and replaced the stored rows of eight. */
  @Test
  void fewerSeedsThanTheFileHasAreRefused() throws Exception {
    Path folder = results("r", 0.5);
    String file = Files.readString(folder.resolve("experiment.yaml"));
    String more = file.replace("seeds: [1, 2, 3, 4, 5]", "seeds: [1, 2, 3, 4, 5, 6]");
    assertThatThrownBy(() -> claims(HALF).from(folder, name -> Optional.of(more)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("has less than examples/trial.yaml asks for")
        .hasMessageContaining("seeds: 5 instead of 6");
    String less = file.replace("seeds: [1, 2, 3, 4, 5]", "seeds: [1, 2]");
    assertThat(claims(HALF).from(folder, name -> Optional.of(less))).isEqualTo("trial");
  }

  @Test
  void fewerRoundsThanTheFileHasAreRefused() throws Exception {
    Path folder = results("r", 0.5);
    Path settings = folder.resolve("experiment.yaml");
    String file = Files.readString(settings) + "rounds: 12\ncases: { pinned: { rounds: 8 } }\n";
    Files.writeString(settings, file.replace("12", "9").replace("8", "3"));
    assertThatThrownBy(() -> claims(HALF).from(folder, name -> Optional.of(file)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("rounds: 9 instead of 12; rounds of pinned: 3 instead of 8");
  }

  @Test
  void anInterruptedRunIsRefused() throws Exception {
    Path folder = results("r", 0.5);
    Files.writeString(folder.resolve("turns.jsonl"), "");
    refused(claims(HALF), folder, "interrupted run");
  }

  @Test
  void wrongResultsAreNotStored() throws Exception {
    Claims claims = claims(HALF);
    Path folder = results("r", 0.5);
    Environment found = Environment.readIfPresent(folder).orElseThrow();
    new Environment(
            found.date(),
            found.cores(),
            found.memoryBytes(),
            found.os(),
            found.kernel(),
            found.cpu(),
            found.jvm(),
            found.revision(),
            Map.of("check: order", "holds in all 5 runs", "check: balance", "FAILS in 1 of 5 runs"))
        .write(folder);
    refused(claims, folder, "wrong results: check balance FAILS in 1 of 5 runs");
    found.write(folder);
    Path rows = folder.resolve("summary.csv");
    String good = Files.readString(rows);
    try (RowWriter<SummaryRow> out = RowWriter.create(root, SummaryRow.FORMAT)) {
      out.append(
          SummaryRow.of(
              new RowKey("trial", "c", "wide", "70%", RowKey.ALL, RowKey.ALL),
              9,
              0,
              3,
              1,
              Histograms.create()));
    }
    String bad = Files.readAllLines(root.resolve("summary.csv")).get(1);
    Files.writeString(rows, good + bad + "\n");
    refused(claims, folder, "c at 70% returned 3 wrong, missing or duplicate rows");
    Files.writeString(rows, good);
    assertThat(claims.from(folder, CANNOT_TELL)).isEqualTo("trial");
  }

  /** A claim that names no load is about that of the file. */
  @Test
  void anotherLoadDoesNotJudgeAClaimAboutTheOnlyOne() throws Exception {
    Path folder = results("r", 0.5);
    String other = Files.readString(folder.resolve("experiment.yaml")).replace("[70%]", "[50%]");
    assertThatThrownBy(() -> claims(HALF).from(folder, file -> Optional.of(other)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("loads was [70%] and is [50%]");
    Claims named = claims("figures: { P99: { of: P99, arm: a, over: b, load: 70% } }");
    assertThat(named.from(folder, file -> Optional.of(other))).isEqualTo("trial");
    String several = other.replace("[50%]", "[70%, 90%]");
    assertThat(claims(HALF).from(folder, file -> Optional.of(several))).isEqualTo("trial");
  }

  @Test
  void loadsAreNotMixedInAFigure() throws Exception {
    Path folder = results("r", 0.5);
    Path rows = folder.resolve("summary.csv");
    List<String> lines = Files.readAllLines(rows);
    List<String> more = lines.stream().skip(1).map(row -> row.replace("70%", "90%")).toList();
    Files.write(rows, more, StandardOpenOption.APPEND);
    refused(claims(HALF), folder, "has P99 of a at the loads 70%, 90%, but a claim names none");
    Claims named = claims("figures: { P99: { of: P99, arm: a, over: b, load: 70% } }");
    assertThat(named.from(folder, CANNOT_TELL)).isEqualTo("trial");
  }

  private static void refused(Claims claims, Path folder, String words) {
    assertThatThrownBy(() -> claims.from(folder, CANNOT_TELL))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(words);
  }

  @Test
  void unknownNamesAreRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> claims(HALF).files("Y"))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("all, X, trial");
    assertThat(claims(HALF).files("X")).containsOnlyKeys("trial");
  }
}
