/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.report.ResultFixture.Arm;
import dev.manx.lab.report.render.PageText;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.lab.report.render.TerminalText;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportJsonTest {
  @TempDir private Path directory;

  private JsonNode written() throws Exception {
    Report.of(ResultFixture.demo().write(directory)).write();
    return new ObjectMapper().readTree(directory.resolve("report.json").toFile());
  }

  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void everyKeyIsDocumented() throws Exception {
    String page = Files.readString(ManxHome.find().root().resolve("docs/measure/result-files.md"));
    String section = page.substring(page.indexOf("## report.json"));
    List<String> documented =
        Pattern.compile("(?m)^\\| (`.*?`) \\|")
            .matcher(section)
            .results()
            .flatMap(row -> Pattern.compile("`(\\w+)`").matcher(row.group(1)).results())
            .map(key -> key.group(1))
            .toList();
    assertThat(documented).contains("version").containsAll(keys(written()));
    assertThat(section).contains("`version` is " + ReportJson.VERSION + ";");
  }

  @Test
  void itSaysWhatThePageSays() throws Exception {
    JsonNode report = written();
    String terminal = Report.of(directory).text().replace('-', '–');
    assertThat(report.get("verdicts")).isNotEmpty();
    for (JsonNode verdict : report.get("verdicts")) {
      assertThat(terminal).contains(verdict.get("sentence").asText().replace('-', '–'));
    }
    JsonNode first = report.get("results").get(0);
    assertThat(first.get("arm").asText()).isEqualTo("stock");
    assertThat(first.get("requests").asLong()).isEqualTo(6_400);
    assertThat(first.get("throughput")).hasSize(3);
    assertThat(report.get("metrics")).hasSize(3 * 5);
  }

  /** Three rounds have the true median between their lowest and highest value in 75 % of cases. */
  @Test
  void tooFewRoundsHaveARangeAndNoInterval() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 71), new Arm("manx", 0.5, 70));
    for (int rounds : new int[] {3, 5, 6}) {
      Path results = Files.createDirectory(directory.resolve("rounds-" + rounds));
      new ResultFixture(arms, List.of("70%"), rounds).write(results);
      Report report = Report.of(results);
      String page = Files.readString(report.write()).replace("&nbsp;", " ").replace('\u00a0', ' ');
      boolean few = rounds < 6;
      assertThat(page.contains("95 %")).as("%d rounds", rounds).isEqualTo(!few);
      assertThat(page.contains("below each, the range of the rounds.")).isEqualTo(few);
      assertThat(page.contains("below each, the 95 % interval.")).isEqualTo(!few);
      assertThat(report.text()).doesNotContain("95 %");
    }
  }

  /** Page and terminal need no other file or object. */
  @Test
  void pageAndTerminalAreMadeFromTheFileAlone() throws Exception {
    Path demo = Files.createDirectory(directory.resolve("demo"));
    Path swept = Files.createDirectory(directory.resolve("swept"));
    for (Path results : List.of(ResultFixture.demo().write(demo), SweptFixture.write(swept, 6))) {
      Report report = Report.of(results);
      String page = Files.readString(report.write());
      JsonNode file = new ObjectMapper().readTree(results.resolve("report.json").toFile());
      assertThat(ReportPage.html(file).equals(page)).as("the same page").isTrue();
      assertThat(TerminalText.of(file)).isEqualTo(report.text());
      ObjectNode drawn = file.deepCopy();
      assertThat((JsonNode) drawn.remove(List.of("tables", "notes", "experimentYaml")))
          .isEqualTo(PageText.data(page));
    }
  }

  @Test
  void aKindThatIsNotKnownIsSaidToBeSo() {
    assertThat(ExperimentFile.parse("on: mars").kind().notes().get(0).head())
        .isEqualTo("Unknown kind.");
    assertThat(ExperimentFile.parse("on: idle").kind().casesApart()).isTrue();
  }

  /** Cases may have different numbers of rounds: those of 3 were called intervals. */
  @Test
  void aReportMayHaveIntervalsAndRanges() throws Exception {
    ResultFixture.demo().write(directory);
    Path summary = directory.resolve("summary.csv");
    Files.write(
        summary,
        Files.readAllLines(summary).stream()
            .filter(row -> !row.matches("demo,\\w+,wide,70%,1,[4-8],.*"))
            .toList());
    Report report = Report.of(directory);
    String page = Files.readString(report.write()).replace("&nbsp;", " ").replace('\u00a0', ' ');
    assertThat(page)
        .contains("below each, the 95 % interval; of fewer than 6 rounds, their range.")
        .contains("Of fewer than 6 rounds it is the range");
    JsonNode json = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    for (String part : List.of("results", "comparisons")) {
      assertThat(json.get(part)).isNotEmpty();
      for (JsonNode one : json.get(part)) {
        String ranges =
            part.equals("results") ? one.get("ranges").toString() : "" + one.get("range");
        boolean few = one.get("class").asText().equals("wide");
        assertThat(ranges.contains("" + few)).as("%s %s", part, one).isTrue();
        assertThat(ranges.contains("" + !few)).as("%s %s", part, one).isFalse();
      }
    }
    for (JsonNode table : json.get("tables")) {
      if (table.get("section").asText().equals("results")) {
        boolean few = table.get("class").asText().equals("wide");
        assertThat(table.toString().contains("\"small\":\"range ")).isEqualTo(few);
      }
    }
  }

  /** Its other rounds had no such time. */
  @Test
  void aMetricOfFewRoundsHasARangeNextToIntervals() throws Exception {
    ResultFixture.demo().write(directory);
    String rows =
        IntStream.rangeClosed(1, 3)
            .mapToObj(round -> "demo,manx,all,70%,1," + round + ",,recover_ms," + round + "50,,\n")
            .collect(Collectors.joining());
    Files.writeString(directory.resolve("metrics.csv"), rows, StandardOpenOption.APPEND);
    JsonNode json = ReportJson.of(ReportData.read(directory));
    assertThat(json.get("interval").asText()).isEqualTo("95 % interval");
    List<String> ends = new ArrayList<>();
    json.findValues("small").forEach(small -> ends.add(small.asText()));
    assertThat(ends).filteredOn(text -> text.startsWith("range")).containsExactly("range 150–350");
  }

  /** Its package was not installed, and the arms ran in another order than the file's. */
  @Test
  void withoutItsBaselineTheFirstArmOfTheFileIsOne() throws Exception {
    ResultFixture.demo().write(directory);
    Path yaml = directory.resolve("experiment.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
                .replace("baseline: stock", "baseline: debian")
                .replaceAll("(?m)^  stock: .*\\n", "")
                .replace("arms:\n", "arms:\n  debian: {}\n")
            + "  stock: { mode: off }\n");
    JsonNode json = ReportJson.of(ReportData.read(directory));
    assertThat(json.get("baseline").asText()).isEqualTo("neutral");
    assertThat(json.get("arms").toString()).isEqualTo("[\"neutral\",\"manx\",\"stock\"]");
    assertThat(json.get("warnings").toString())
        .contains("The baseline debian was not measured; the arms are compared with neutral.");
  }

  /** They do not open the breaker, and a median over rounds would be 0. */
  @Test
  void exceptionsOfManxAreAWarning() throws Exception {
    ResultFixture.demo().write(directory);
    String rows =
        IntStream.rangeClosed(1, 8)
            .mapToObj(
                round -> "demo,manx,all,70%,1," + round + ",,manx_faults," + round / 7 + ",,\n")
            .collect(Collectors.joining());
    Files.writeString(directory.resolve("metrics.csv"), rows, StandardOpenOption.APPEND);
    assertThat(Sentences.warnings(ReportData.read(directory), "70%"))
        .contains("Manx's own code threw 2 exceptions in manx: stock made these decisions.");
  }
}
