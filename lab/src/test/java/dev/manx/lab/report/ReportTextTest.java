/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.report.ResultFixture.Arm;
import dev.manx.lab.report.render.PageText;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.workload.result.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the page and the terminal table without a browser. */
@Tag("slow")
class ReportTextTest {
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script[^>]*>.*?</script>");

  @TempDir Path directory;

  @Test
  void nothingInThePageCanBeFetched() throws Exception {
    String page = page(ResultFixture.demo());
    String own = PageText.own(page);
    assertThat(page).hasSizeGreaterThan(own.length() + 900_000);
    assertThat(own).doesNotContain("http:", "https:", "//cdn", "@import", "url(", "fetch(", "src=");
    assertThat(own.replace("href=\"data:,\"", "")).doesNotContain("href=");
    assertThat(page).contains("default-src 'none'; script-src 'sha256-");
  }

  @Test
  void echartsCannotEndItsScriptElement() {
    assertThat(PageText.echarts())
        .contains("Apache Software Foundation")
        .doesNotContain("</script");
  }

  @Test
  void namesFromFilesAreEscaped() throws Exception {
    String hostile = "</script><img src=x onerror=alert(1)>\"'&";
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm(hostile, 0.5, 70));
    String page = PageText.own(page(new ResultFixture(arms, List.of("<i>70%</i>"), 8)));
    assertThat(page).doesNotContain("<img", "<i>70%", "<b>&amp; </script>");
    assertThat(page).contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    assertThat(SCRIPT.matcher(page).results()).as("script elements").hasSize(4);
  }

  @Test
  void pageShowsTheExperimentItsModelAndItsEnvironment() throws Exception {
    String page = page(ResultFixture.demo());
    assertThat(page)
        .contains("What Manx does to the tail")
        .contains("Hooks on, stock decisions: what Manx itself costs")
        .contains("Service time is a model.")
        .contains("Example CPU, 2 cores")
        .contains("driver.page-size")
        .contains("note: &quot;&lt;b&gt;&amp;amp; ");
  }

  @Test
  void writesOneFile() throws Exception {
    Path file = Report.of(ResultFixture.demo().write(directory)).write();
    assertThat(file).isEqualTo(directory.resolve("report.html"));
    assertThat(Files.readString(file)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
  }

  @Test
  void terminalTableAndVerdict() throws Exception {
    String text = Report.of(ResultFixture.demo().write(directory)).text();
    List<String> lines = text.lines().toList();
    assertThat(lines.get(0)).isEqualTo("demo, load 70%");
    assertThat(lines.get(2)).startsWith("arm ").contains("P99.9 ms");
    assertThat(lines.get(3)).matches("stock +6 400 +0 +0 +100 .* 71 %");
    assertThat(lines.get(5)).startsWith("manx ");
    assertThat(lines).anyMatch(line -> line.startsWith("manx answers "));
    assertThat(text).matches("[\\x20-\\x7e\\n]+");
  }

  @Test
  void theCostOfASimulationIsPrintedAndShown() throws Exception {
    Path results = ResultFixture.demo().write(directory);
    new Environment(
            "2026-01-01T00:00:00Z",
            2,
            1L << 30,
            "Linux",
            "6.1",
            "a cpu",
            "a vm",
            "abc",
            Map.of(
                "speed: manx at 70%", "2.50 M reads per second of one core",
                "speed: all runs", "2.10 M reads per second of one core",
                "check: every read once", "holds in all 6 runs",
                "workload", "8.6 reads a request"))
        .write(results);
    assertThat(Report.of(results).text())
        .contains("Cost of the simulation")
        .containsPattern("all runs +2.10 M reads")
        .containsPattern("manx at 70% +2.50 M reads")
        .contains("every read once: holds in all 6 runs");
    String page = page(results);
    assertThat(page)
        .contains("<h3>Cost of the simulation</h3>")
        .contains("<h3>Results of the checkers</h3>")
        .doesNotContain(">speed: manx");
  }

  @Test
  void terminalIsSafeFromControlCharacters() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("red\u001b[31m", 1, 70));
    String text = Report.of(new ResultFixture(arms, List.of("70%"), 8).write(directory)).text();
    assertThat(text).contains("red?[31m").doesNotContain("\u001b");
  }

  @Test
  void numbersAsPeopleReadThem() {
    assertThat(Format.number(0.012345)).isEqualTo("0.0123");
    assertThat(Format.number(4.561)).isEqualTo("4.56");
    assertThat(Format.number(99.96)).isEqualTo("100");
    assertThat(Format.number(1234.5)).isEqualTo("1235");
    assertThat(Format.number(12)).isEqualTo("12.0");
    assertThat(Format.compact(12)).isEqualTo("12");
    assertThat(Format.compact(0.50)).isEqualTo("0.5");
    assertThat(Format.number(Double.NaN)).isEqualTo("–");
    assertThat(Format.count(1234567)).isEqualTo("1\u2009234\u2009567");
    assertThat(Format.number(12345.6)).isEqualTo("12\u2009346");
    assertThat(Format.number(9999.7)).isEqualTo("10\u2009000");
    assertThat(Format.ratio(2.312)).isEqualTo("2.31");
    assertThat(Format.ratio(1858.46)).isEqualTo("1858");
    assertThat(Format.gib(25_276_956_672L)).isEqualTo("23.5 GiB");
    assertThat(Format.date("2026-11-21T22:35:32.035873805Z")).isEqualTo("2026-11-21 22:35 UTC");
    assertThat(Format.date("yesterday")).isEqualTo("yesterday");
    assertThat(Format.plural(1, "round")).isEqualTo("1 round");
  }

  /** In a closed loop requests have no intended start: latencies hide stalls. */
  @Test
  void aClosedLoopIsNotCalledOpen() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("manx", 0.5, 70));
    String page = PageText.own(page(new ResultFixture(arms, List.of("16 clients"), 8)));
    assertThat(page)
        .contains("Closed loop.", "Closed loop: a request is sent only when another has ended")
        .doesNotContain("Open loop");
    assertThat(Report.of(directory).text().replaceAll("\\s+", " "))
        .containsOnlyOnce("latencies hide stalls. Compare answers per second.");
  }

  @Test
  void openAndClosedLoopsOfARunAreToldApart() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("manx", 0.5, 70));
    String page = PageText.own(page(new ResultFixture(arms, List.of("70%", "16 clients"), 8)));
    assertThat(page).contains("Open loop (70%).", "Closed loop (16 clients).");
    assertThat(ReportJson.of(ReportData.read(directory)).get("warnings"))
        .filteredOn(warning -> warning.get("sentence").asText().startsWith("Closed loop"))
        .extracting(warning -> warning.get("load").asText())
        .containsExactly("16 clients");
  }

  /** The description of a run must match its kind. */
  @Test
  void everyKindOfRunIsDescribedAsWhatItIs() throws Exception {
    assertThat(pageOf("cluster"))
        .contains("on the same nodes", "Correctness.", "until its last read");
    assertThat(pageOf("cache"))
        .contains("Simulated.", "the controller", "its slowest query")
        .doesNotContain("on the same nodes", "Correctness.", "is the engine as shipped");
    assertThat(pageOf("cache-live"))
        .contains("in front of the same backends", "Correctness.")
        .doesNotContain("on the same nodes", "is the engine as shipped");
    assertThat(pageOf("idle"))
        .contains("Latency of operations")
        .doesNotContain("fan-out requests,");
    for (String squeezed : List.of("idle", "contention")) {
      assertThat(pageOf(squeezed))
          .contains("No arm is left out as saturated: where operations remain unfinished, the")
          .doesNotContain("whose backlog grew, is saturated");
    }
  }

  /** Eight rounds of eleven arms leave most pairs of neighbours out. */
  @Test
  void anUnbalancedOrderOfArmsIsTold() throws Exception {
    List<Arm> arms = IntStream.rangeClosed(1, 11).mapToObj(i -> new Arm("a" + i, 1, 70)).toList();
    assertThat(page(new ResultFixture(arms, List.of("70%"), 8)))
        .contains("follows each other arm equally often.")
        .contains(" 11 arms in 8 rounds: balanced neighbours need 22 rounds.");
    assertThat(page(ResultFixture.demo()))
        .contains("follows each other arm equally often.")
        .doesNotContain("balanced neighbours need");
    assertThat(pageOf("simulator"))
        .as("arms of a simulation have no order")
        .doesNotContain("follows each other arm equally often.");
  }

  /** The ratio behind "no difference" was in no table. */
  @Test
  void theRatiosOfTheChartAreInATable() throws Exception {
    assertThat(PageText.own(page(ResultFixture.demo())))
        .containsPattern(
            "<th class=\"name\">neutral</th>\\s*<td>[01]\\.\\d\\d"
                + "<small>0\\.\\d\\d–1\\.\\d\\d, no difference</small>")
        .containsPattern(
            "<th class=\"name\">manx</th>\\s*<td>0\\.\\d\\d"
                + "<small>0\\.\\d\\d–0\\.\\d\\d, faster</small>");
    List<Arm> alone = List.of(new Arm("stock", 1, 70));
    assertThat(PageText.own(page(new ResultFixture(alone, List.of("70%"), 8))))
        .doesNotContain("<summary>The numbers</summary>");
  }

  /** The cost of the snitch and the gain of Manx are different ratios. */
  @Test
  void armsAreComparedWithFurtherArms() throws Exception {
    ResultFixture.demo().write(directory);
    Path file = directory.resolve("experiment.yaml");
    String yaml = Files.readString(file);
    Files.writeString(file, "also-against: [neutral, stock, gone]\n" + yaml);
    Report report = Report.of(directory);
    assertThat(report.text().lines())
        .filteredOn(line -> line.contains(" neutral"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches("  manx answers \\d\\.\\d+x faster than neutral at the median .*"))
        .noneMatch(line -> line.contains("neutral answers") || line.contains("from neutral"));
    String page = PageText.own(Files.readString(report.write()));
    assertThat(page)
        .contains("compared with <b>stock</b> and <b>neutral</b>, round by round")
        .contains("<p class=\"also\">manx answers")
        .contains("one ratio arm / stock and one arm / neutral;")
        .containsPattern("manx</th>\\s*<td class=\"name\">neutral</td>\\s*<td>0\\.")
        .doesNotContainPattern("stock</th>\\s*<td class=\"name\">neutral</td>");
    JsonNode json = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    assertThat(json.get("alsoAgainst").toString()).isEqualTo("[\"neutral\"]");
    assertThat(json.get("comparisons")).allMatch(one -> one.get("over").asText().equals("stock"));
    assertThat(json.get("alsoCompared"))
        .hasSameSizeAs(json.get("comparisons"))
        .allMatch(one -> one.get("over").asText().equals("neutral"));
  }

  /** A kind that this version does not know is not described as a cluster. */
  @Test
  void ofAnUnknownKindNothingIsSaid() throws Exception {
    for (String on : List.of("quantum", "\"\"")) {
      assertThat(pageOf(on))
          .contains("Unknown kind.", "Latency, as the experiment measured it.")
          .doesNotContain("on the same nodes", "Correctness.", "Open loop.", "fan-out requests,");
    }
  }

  /** Cases of squeezed threads are compared one by one. */
  @Test
  void casesAreNotPooled() throws Exception {
    assertThat(pageOf("idle")).doesNotContain("data-class=\"all\"");
    assertThat(Report.of(directory).text()).contains("class wide", "wide: manx answers ");
  }

  private String pageOf(String on) throws Exception {
    ResultFixture.demo().write(directory);
    Files.writeString(directory.resolve("experiment.yaml"), "experiment: demo\non: " + on + "\n");
    return PageText.own(page(directory));
  }

  private String page(ResultFixture fixture) throws Exception {
    return page(fixture.write(directory));
  }

  private static String page(Path results) throws Exception {
    return ReportPage.html(ReportJson.of(ReportData.read(results)));
  }
}
