/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published numbers of others next to those of a result folder. */
class PublishedTest {
  @TempDir Path folder;

  /** Further rows of metrics.csv. */
  private final List<String> rows = new ArrayList<>();

  private List<Published.Line> lines(String... entries) throws IOException {
    return lines(ResultFixture.demo(), entries);
  }

  private List<Published.Line> lines(ResultFixture results, String... entries) throws IOException {
    results.write(folder);
    for (String row : rows) {
      Files.writeString(folder.resolve("metrics.csv"), row, StandardOpenOption.APPEND);
    }
    StringBuilder block = new StringBuilder("published:\n");
    for (String entry : entries) {
      block.append("  - { ").append(entry).append(" }\n");
    }
    Files.writeString(folder.resolve("experiment.yaml"), block, StandardOpenOption.APPEND);
    return Published.lines(ReportData.read(folder));
  }

  @Test
  void anEntryThatCannotBeReadHidesNoOther() throws Exception {
    List<Published.Line> lines =
        lines(
            "arm: manx, over: stock, at: P99, published: 0.9, expect: at most",
            "arm: manx, over: stock, at: P99, published: 0.9, expect: at mots",
            "arm: manx, over: stock, at: P99, published: 0.1, expect: at most");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("holds", "cannot be read", "DOES NOT HOLD");
    assertThat(lines.get(1).what()).contains("expect").contains("at mots");
  }

  /** A misspelt class would be that of all requests, and a misspelt expectation none. */
  @Test
  void aMisspeltKeyIsNotIgnored() throws Exception {
    List<Published.Line> lines =
        lines(
            "arm: manx, at: P99, clas: wide, published: 1s, expect: at most",
            "arm: manx, at: P99, published: 1ns, expects: at most",
            "arm: manx, at: P90, published: 1s, expect: at most");
    assertThat(lines).extracting(Published.Line::holds).containsOnly("cannot be read");
    assertThat(lines)
        .extracting(Published.Line::what)
        .satisfiesExactly(
            what -> assertThat(what).contains("clas: unknown key"),
            what -> assertThat(what).contains("expects: unknown key"),
            what -> assertThat(what).contains("one of P50, P95, P99, P99.9"));
  }

  /** Else it would count as 0, and every latency would be at least that. */
  @Test
  void aNumberThatIsNoTimeIsNotReached() throws Exception {
    List<Published.Line> lines =
        lines(
            "arm: manx, at: P99, published: 1ns, expect: at least",
            "arm: manx, at: P99, published: soon, expect: at least",
            "arm: unknown, at: P99, published: 1ns, expect: at least");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("holds", "cannot be read", "not measured");
  }

  /** A published number may be met in part: its own bound is the one that decides. */
  @Test
  void aBoundMayDifferFromThePublishedNumber() throws Exception {
    List<Published.Line> lines =
        lines(
            "claim: X-1, arm: manx, over: stock, at: P99, published: 0.1, expect: at most 0.9",
            "claim: ours, arm: manx, over: stock, at: P99, published: 0.9, expect: at least 0.8",
            "arm: manx, at: P99, published: 1ns, expect: at least 2ns",
            "arm: manx, at: P99, published: 1ns, expect: at least 2",
            "arm: manx, over: stock, at: P99, published: 0.9, expect: at least 2ms");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("holds", "DOES NOT HOLD", "holds", "cannot be read", "cannot be read");
    assertThat(lines.get(0).published()).isEqualTo("0.1; at most 0.9");
    assertThat(Published.tables(lines).toString()).contains("our aim", "published or aimed at");
  }

  /** Three rounds decide by chance. */
  @Test
  void fewRoundsAreNotJudged() throws Exception {
    ResultFixture results =
        new ResultFixture(
            List.of(new ResultFixture.Arm("stock", 1, 70), new ResultFixture.Arm("manx", 0.5, 70)),
            List.of("70%"),
            7);
    List<Published.Line> lines =
        lines(results, "arm: manx, over: stock, at: P99, published: 0.1, expect: at most");
    assertThat(lines).extracting(Published.Line::holds).containsExactly("too few rounds");
  }

  /** Its latency depends on the length of the run. */
  @Test
  void aSaturatedArmIsNotJudged() throws Exception {
    ResultFixture results =
        new ResultFixture(
            List.of(
                new ResultFixture.Arm("stock", 1, 71),
                new ResultFixture.Arm("full", 3, 93),
                new ResultFixture.Arm("manx", 0.5, 70)),
            List.of("70%"),
            8);
    List<Published.Line> lines =
        lines(
            results,
            "arm: manx, over: full, at: P99, published: 0.9, expect: at most",
            "arm: full, over: stock, at: P99, published: 0.9, expect: at most",
            "arm: full, at: P99, published: 1ms",
            "arm: manx, over: stock, at: P99, published: 0.9, expect: at most");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("saturated", "saturated", "saturated", "holds");
    assertThat(lines).extracting(Published.Line::ours).doesNotContain("–", "-");
  }

  /** Its latencies are mostly those of the requests that it answered. */
  @Test
  void aFailingArmIsNotJudged() throws Exception {
    points("near", "70%", "all", 50, 4_000);
    points("far", "70%", "all", 50, 4_000);
    rows.add("demo,manx,all,70%,all,all,point=far,failed_pct,3,,\n");
    List<Published.Line> lines =
        lines(
            ResultFixture.demo().failing("neutral", 0.02),
            "arm: manx, over: neutral, at: P99, published: 0.9, expect: at most",
            "arm: neutral, over: stock, at: P99, published: 0.9, expect: at most",
            "arm: neutral, at: P99, published: 1ms",
            "arm: manx, over: stock, at: P99, published: 0.9, expect: at most",
            "arm: manx, at: P99, point: near, published: 1s",
            "arm: manx, at: P99, point: far, published: 1s");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("failing", "failing", "failing", "holds", "", "failing");
    assertThat(lines).extracting(Published.Line::ours).doesNotContain("–", "-");
  }

  /** The number of another class was printed, whichever came first. */
  @Test
  void aPointIsOfItsClass() throws Exception {
    points("far", "70%", "wide", 90, 8_000);
    points("far", "70%", "all", 50, 4_000);
    List<Published.Line> lines =
        lines(
            "arm: manx, at: P99, point: far, published: 1s",
            "arm: manx, at: P99, point: far, class: wide, published: 1s",
            "arm: manx, at: P99, point: far, class: single, published: 1s");
    assertThat(lines).extracting(Published.Line::ours).containsExactly("4.00ms", "8.00ms", "–");
    assertThat(lines)
        .extracting(Published.Line::holds)
        .containsExactly("", "saturated", "not measured");
  }

  /** The load of the experiment was meant, at which the point was not measured. */
  @Test
  void aPointMayHaveALoadOfItsOwn() throws Exception {
    points("far", "90%", "all", 50, 4_000);
    assertThat(lines("arm: manx, at: P99, point: far, published: 1s"))
        .extracting(line -> line.what() + ": " + line.ours())
        .containsExactly("manx, P99 at 90%, far: 4.00ms");
  }

  private void points(String point, String load, String requestClass, int used, int us) {
    String key = "demo,manx," + requestClass + "," + load + ",all,all,point=" + point + ",";
    rows.add(key + "latency_p99_us," + us + ",,\n" + key + "utilisation_pct," + used + ",,\n");
  }
}
