/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.report.ResultFixture.Arm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser: everything is drawn, nothing fails, nothing is fetched. */
@EnabledIf("dev.manx.lab.report.Chromium#mayRun")
class ReportPageTest {
  @TempDir Path directory;
  @TempDir Path browser;

  @Test
  void everyArmIsDrawnInEveryChart() throws Exception {
    ResultFixture fixture = ResultFixture.demo();
    Chromium.Page page = open(fixture);
    JsonNode drawn = drawn(page);
    assertThat(drawn.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("curve", "bars", "ratios", "rounds", "timeline-0");
    List<String> arms = fixture.armNames();
    for (String chart : List.of("curve", "bars", "rounds", "timeline-0")) {
      assertDrawn(drawn.get(chart), chart, arms);
    }
    assertDrawn(drawn.get("ratios"), "ratios", List.of("neutral", "manx"));
    assertThat(Integer.parseInt(page.attribute("body", "data-marks"))).isGreaterThan(50);
  }

  @Test
  void hostileNamesStayNames() throws Exception {
    List<Arm> arms =
        List.of(
            new Arm("stock", 1, 70),
            new Arm("<img src=x onerror=\"document.title='pwned'\">", 0.7, 70),
            new Arm("</script><script>document.title='pwned'</script>", 0.8, 70),
            new Arm("\"' onload='document.title=1 {{data}} $1 \\", 1.2, 70));
    ResultFixture fixture = new ResultFixture(arms, List.of("70%"), 8);
    Chromium.Page page = open(fixture);
    assertDrawn(drawn(page).get("bars"), "bars", fixture.armNames());
    // An injected handler or script would set the title; the policy's refusal would be an error.
    assertThat(page.dom().contains("<title>demo · Manx report</title>")).isTrue();
  }

  @Test
  void severalLoadsAndASaturatedArm() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("slow", 9, 93));
    Chromium.Page page = open(new ResultFixture(arms, List.of("50%", "70%"), 8));
    JsonNode drawn = drawn(page);
    assertDrawn(drawn.get("curve"), "curve", List.of("stock", "slow"));
    assertThat(drawn.get("ratios")).as("saturated arms are not compared").isEmpty();
    String sentence = "slow is not compared with stock: slow was saturated.";
    assertThat(page.dom().contains(sentence)).as(sentence).isTrue();
  }

  /** The three checks of {@link #open} do see what they look for. */
  @Test
  void theBrowserTellsOnAPage() throws Exception {
    Path html = directory.resolve("bad.html");
    Files.writeString(
        html,
        "<body><img src='http://example.invalid/a.png'>"
            + "<script>console.error('spoke up'); document.body.dataset.x = 1</script>");
    Chromium.Page page = Chromium.open(html, browser);
    assertThat(page.requests()).contains("http://example.invalid/a.png");
    assertThat(page.console()).anyMatch(line -> line.contains("spoke up"));
    assertThat(page.attribute("body", "data-x")).isEqualTo("1");
  }

  private Chromium.Page open(ResultFixture fixture) throws Exception {
    Path html = ReportWriter.write(fixture.write(directory));
    Chromium.Page page = Chromium.open(html, browser);
    assertThat(page.attribute("html", "data-errors")).isEqualTo("[]");
    assertThat(page.console()).isEmpty();
    assertThat(page.requests()).as("what was asked of the network").isEmpty();
    assertThat(Files.size(html)).isLessThan(4 << 20);
    return page;
  }

  private static JsonNode drawn(Chromium.Page page) throws Exception {
    return new ObjectMapper().readTree(page.attribute("body", "data-series"));
  }

  private static void assertDrawn(JsonNode chart, String name, List<String> arms) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode series : chart) {
      names.add(series.get("name").asText());
      assertThat(series.get("points").asInt()).as("points of %s in %s", series, name).isPositive();
    }
    assertThat(names).as("series of %s", name).containsExactlyElementsOf(arms);
  }
}
