/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/advise-check} on existing results. */
@Tag("engines")
@Timeout(60)
class AdviseCheckTest {
  private static final String HEAD =
      "experiment,arm,class,load,seed,round,count,errors,wrong,throughput_per_s,mean_us,p50_us,"
          + "p90_us,p95_us,p99_us,p999_us,max_us,p99_lo_us,p99_hi_us\n";
  private static final String ADVICE =
      """
      stock measured:  P50 20.0 ms  P95 40.0 ms  P99 60.0 ms (95 % interval 55.0 ms to 66.0 ms)
      stock simulated: P50 20.0 ms (+0 %)  P95 40.0 ms (+0 %)  P99 60.0 ms (+0 %)
      Advice: strategy manx. In the model its P99 is 0.50x stock's (95 % interval 0.45-0.55).
      """;

  @TempDir private Path out;

  private final Map<String, Double> predicted = new LinkedHashMap<>();
  private final Map<String, Double> measured = new LinkedHashMap<>();
  private String advice = ADVICE;
  private String full = "";
  private int rounds = 6;

  private record Run(int code, List<String> lines) {
    String row(String start) {
      return lines.stream()
          .map(line -> line.replaceAll(" +", " "))
          .filter(line -> line.startsWith(start))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + start + " in " + lines));
    }
  }

  @BeforeEach
  void allIsAsPredicted() {
    for (String arm : List.of("low-fifo", "rein", "c3", "manx")) {
      predicted.put(arm, 30_000.0);
      measured.put(arm, 30_000.0);
    }
    predicted.put("stock", 60_000.0);
    measured.put("stock-snitch-off", 60_000.0);
  }

  /** An arm with a given P99, within 2 % in every round. */
  private static String rows(String arm, double p99, int rounds) {
    StringBuilder rows = new StringBuilder();
    for (int round = 1; round <= rounds; round++) {
      double times = 1 + 0.02 * (round % 3 - 1);
      rows.append(row(arm, "all", "1", Integer.toString(round), times * p99, times * p99, 1));
    }
    rows.append(row(arm, "all", "1", "all", p99, p99, 1));
    rows.append(row(arm, "all", "all", "all", p99, p99, 1.1));
    return rows.append(row(arm, "wide", "all", "all", 5 * p99, 5 * p99, 1)).toString();
  }

  private static String row(
      String arm, String of, String seed, String round, double p99, double p50, double spread) {
    return String.format(
            Locale.ROOT,
            "x,%s,%s,70%%,%s,%s,900,0,0,80,1,%.3f,1,%.3f,%.3f,1,1,%.3f,%.3f%n",
            arm,
            of,
            seed,
            round,
            p50 / 3,
            p99 / 1.5,
            p99,
            p99 / spread,
            p99 * spread)
        // Latencies without any answer.
        .replace("NaN", "");
  }

  private void summary(Path folder, Map<String, Double> arms) throws IOException {
    StringBuilder text = new StringBuilder(HEAD);
    arms.forEach((arm, p99) -> text.append(rows(arm, p99, rounds)));
    Files.createDirectories(folder);
    if (!arms.isEmpty()) {
      Files.writeString(folder.resolve("summary.csv"), text);
    }
  }

  private Run judged() throws Exception {
    Path cell = out.resolve("advise-check-narrow/70pct");
    summary(cell.resolve("advice"), predicted);
    summary(cell.resolve("measured"), measured);
    summary(cell.resolve("shadow"), Map.of("shadow", 66_000.0));
    Files.writeString(
        cell.resolve("measured/metrics.csv"),
        "experiment,arm,class,load,seed,round,params,metric,value,lo,hi\n" + full);
    Files.writeString(cell.resolve("advice.txt"), advice);
    Files.writeString(cell.resolve("measuring.done"), "");
    return check();
  }

  private Run check() throws Exception {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(ManxHome.find().root().resolve("tools/advise-check").toString());
    command.addAll(List.of("--judge", "--loads=70%", "--out=" + out));
    command.addAll(List.of("--workload", "examples/advise-check-narrow.yaml"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), text.lines().toList());
  }

  @Test
  void predictionsThatHold() throws Exception {
    Run run = judged();
    assertThat(run.code()).as("%s", run.lines()).isZero();
    assertThat(run.row("stock P99"))
        .as("both intervals of 1.1 count")
        .isEqualTo("stock P99 60 60 1.00 [0.87, 1.14] 0.8 to 1.2 yes");
    assertThat(run.row("stock P50"))
        .as("of six rounds, Student's distribution with five degrees of freedom")
        .isEqualTo("stock P50 20 20 1.00 [0.97, 1.03] 0.8 to 1.2 yes");
    assertThat(run.row("advice P99"))
        .as("of arms that met the same arrivals, round by round")
        .endsWith("1.00 [1.00, 1.00] at most 1.05 yes");
    assertThat(run.lines())
        .contains("Clients measured a P50 +2.00 ms from the coordinators' (in shadow).")
        .anyMatch(line -> line.startsWith("16 of 16 bounds hold, 16 of them with their whole"))
        .anyMatch(line -> line.startsWith("The arms of a cell meet the same arrivals, so dev"));
    assertThat(Files.readAllLines(out.resolve("cells.csv")))
        .hasSize(17)
        .contains("advise-check-narrow,70%,manx,p99,30000,30000,1,0.8739,1.1443,yes");
  }

  @Test
  void aPredictionThatIsFarOffFails() throws Exception {
    measured.put("manx", 45_000.0);
    measured.put("c3", 23_000.0);
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.row("manx P99")).endsWith("0.67 [0.58, 0.76] 0.8 to 1.2 NO");
    assertThat(run.row("c3 P99")).as("out of the bounds, not by its interval").endsWith("open");
    assertThat(run.row("advice P99")).as("c3 is far better").endsWith("at most 1.05 NO");
    assertThat(run.lines()).contains("NO: advise-check-narrow at 70%: manx P99: 0.67 [0.58, 0.76]");
  }

  /** Two may be nearly alike by chance, however far both are from other rounds. */
  @Test
  void twoRoundsShowNothing() throws Exception {
    rounds = 2;
    measured.put("manx", 45_000.0);
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.row("manx P95")).isEqualTo("manx P95 20 30 0.67 0.8 to 1.2 open");
    assertThat(run.row("manx P99")).isEqualTo("manx P99 30 45 0.67 0.8 to 1.2 open");
    assertThat(run.row("stock P99")).endsWith("open");
    rounds = 4;
    assertThat(judged().row("manx P95")).endsWith("NO");
  }

  @Test
  void aRatioWhoseIntervalIsWiderThanTheBoundsOnlySeemsToHold() throws Exception {
    measured.put("c3", 27_000.0);
    Run run = judged();
    assertThat(run.row("c3 P99")).isEqualTo("c3 P99 30 27 1.11 [0.97, 1.27] 0.8 to 1.2 yes?");
    assertThat(run.row("c3 P95")).endsWith("yes");
    assertThat(run.lines())
        .anyMatch(line -> line.startsWith("15 of 16 bounds hold, 14 of them with their whole"));
  }

  @Test
  void stayingWithStockIsJudgedByStock() throws Exception {
    advice = "Advice: stay with stock. In the model no strategy has a lower P99.\n";
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.row("advice P99")).contains(" 2.00 [").endsWith("NO");
    measured.replaceAll((arm, p99) -> 60_000.0);
    assertThat(judged().row("advice P99")).endsWith("yes");
  }

  @Test
  void noAdviceIsAFailure() throws Exception {
    advice = "No advice: simulated stock is 71 % from measured stock (more than 20 %).\n";
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines())
        .contains(advice.strip(), "NO: advise-check-narrow at 70%: advice P99: no advice");
  }

  /** All of its requests may have failed in the short check. */
  @Test
  void anArmWithoutAnswersIsNotCompared() throws Exception {
    measured.put("c3", Double.NaN);
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.row("c3 P99")).isEqualTo("c3 P99 30 0.8 to 1.2 no answers");
    assertThat(run.row("advice P99")).as("not the lowest").endsWith("at most 1.05 yes");
    assertThat(run.lines()).contains("no answers: advise-check-narrow at 70%: c3 P99: no answers");
    assertThat(Files.readAllLines(out.resolve("cells.csv")))
        .contains("advise-check-narrow,70%,c3,p99,30000,,,,,no answers");
    measured.put("manx", Double.NaN);
    assertThat(judged().lines()).contains("Measured, manx has no answers.");
  }

  /** Then nothing is simulated. */
  @Test
  void tooFewRequestsForAdviceAreAFailure() throws Exception {
    advice = "No advice: 9 requests are too few: the measured P99 is not known to within 20 %.\n";
    predicted.clear();
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines())
        .contains(advice.strip(), "NO: advise-check-narrow at 70%: advice P99: no advice");
  }

  @Test
  void anArmThatCannotServeTheLoadIsNotCompared() throws Exception {
    full = "x,c3,all,70%,all,all,,saturated,1,,\nx,manx,all,70%,all,all,,saturated,0,,\n";
    Run run = judged();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.row("c3 P99")).endsWith("saturated");
    assertThat(run.row("manx P99")).endsWith("yes");
  }

  @Test
  void missingResultsAreNotJudged() throws Exception {
    Run run = check();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.lines()).containsExactly("advise-check: advise-check-narrow at 70% is not done");
  }
}
