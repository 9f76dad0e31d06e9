/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published numbers of others next to those of a result folder. */
class PublishedTest {
  @TempDir Path folder;

  private List<Published.Line> lines(String... entries) throws IOException {
    return lines(ResultFixture.demo(), entries);
  }

  private List<Published.Line> lines(ResultFixture results, String... entries) throws IOException {
    results.write(folder);
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
}
