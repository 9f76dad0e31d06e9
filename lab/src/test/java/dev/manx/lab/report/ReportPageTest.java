/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.report.ResultFixture.Arm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The page in a real browser: everything is drawn, nothing fails, nothing is fetched. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("a browser")
@EnabledIf("dev.manx.lab.report.Chromium#mayRun")
class ReportPageTest {
  private static final ResultFixture DEMO = ResultFixture.demo();
  private static Chromium.Page demo;

  @TempDir Path directory;
  @TempDir Path browser;

  /** The page of the demo, opened once: a browser takes seconds to start and to draw. */
  private Chromium.Page demo() throws Exception {
    if (demo == null) {
      demo = open(DEMO);
    }
    return demo;
  }

  @Test
  void everyArmIsDrawnInEveryChart() throws Exception {
    Chromium.Page page = demo();
    JsonNode drawn = drawn(page);
    assertThat(drawn.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("curve", "bars", "ratios", "rounds", "timeline-0");
    List<String> arms = DEMO.armNames();
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

  @Test
  void manyArmsAreDrawnAsAHeatMapAndSomeAsCurves() throws Exception {
    Chromium.Page page = open(SweptFixture.write(directory, 14));
    JsonNode drawn = drawn(page);
    assertThat(drawn.fieldNames())
        .toIterable()
        .contains("heatmap", "sweep-0-0", "sweep-0-3", "sweep-0-more", "sweep-1-1", "timeline-0");
    assertThat(drawn.get("heatmap").get(0).get("points").asInt()).isEqualTo(14 * 9);
    assertThat(page.attribute("body", "data-overflowing")).as("wider than their panels").isEmpty();
    assertDrawn(drawn.get("sweep-0-1"), "P99 over load", SweptFixture.arms(8));
    assertDrawn(drawn.get("sweep-1-1"), "P99 over the delay", SweptFixture.arms(8));
    assertThat(drawn.get("sweep-1-1"))
        .filteredOn(series -> series.get("type").asText().equals("line"))
        .allMatch(series -> series.get("points").asInt() == 3);
    // 8 arms of 5 backends: first the arms of one backend, with the goal and the two moments.
    // Further
    // arms would share colour and dash with these.
    assertDrawn(drawn.get("timeline-0"), "shares", SweptFixture.arms(8));
    assertThat(page.dom().contains("every arm: backend 1")).isTrue();
    assertThat(page.dom().contains(">released</text>")).as("a moment's label").isTrue();
    assertThat(page.dom().contains(">goal</text>")).as("a level's label").isTrue();
    assertThat(page.dom().contains("squeezed &lt;b&gt;</text>")).as("a window's label").isTrue();
  }

  /** All of them fit the page, under their whole names. */
  @Test
  void manyNamedPointsAreBelowEachOtherInTheHeatMap() throws Exception {
    List<String> names =
        IntStream.rangeClosed(1, 30).mapToObj(i -> "interconnections disturbed " + i).toList();
    Chromium.Page page = open(SweptFixture.named(directory, 6, names));
    assertThat(drawn(page).get("heatmap").get(0).get("points").asInt()).isEqualTo(6 * 30);
    Matcher width =
        Pattern.compile("id=\"chart-heatmap\"[^>]*width: ([0-9]+)px").matcher(page.dom());
    assertThat(width.find()).as("a heat map with a width").isTrue();
    assertThat(Integer.parseInt(width.group(1))).isLessThan(1280);
    for (String name : names) {
      // In the heat map and below two curves.
      assertThat(page.dom().split(">" + name + "</text>", -1)).as(name).hasSize(1 + 3);
    }
  }

  @Test
  void someCurvesAreOfTheFastestArmsThatAreNotSaturated() throws Exception {
    List<Arm> arms = new ArrayList<>(List.of(new Arm("stock", 1, 70), new Arm("full", 0.1, 93)));
    for (int i = 1; i <= 12; i++) {
      arms.add(new Arm("arm " + i, 1 + i, 70));
    }
    Chromium.Page page = open(new ResultFixture(arms, List.of("70%"), 8));
    assertDrawn(
        drawn(page).get("curve"),
        "curve",
        List.of("stock", "arm 1", "arm 2", "arm 3", "arm 4", "arm 5", "arm 6", "arm 7"));
  }

  @Test
  void fewArmsOfManyEntitiesShowTheEntitiesOfOne() throws Exception {
    Chromium.Page page = open(SweptFixture.write(directory, 3));
    JsonNode shares = drawn(page).get("timeline-0");
    assertThat(shares).hasSize(SweptFixture.BACKENDS);
    assertThat(shares.get(0).get("name").asText()).isEqualTo("backend 1");
  }

  /** A backend hidden in one chart was missing in another, whose legend did not list it. */
  @Test
  void whatOneLegendHidesOthersCanShow() throws Exception {
    Report.of(SweptFixture.write(directory, 3)).write();
    Chromium.Page shown =
        scripted(
            """
            document.querySelector('#timeline-charts .key').click();
            document.body.dataset.hidden = JSON.parse(document.body.dataset.series)['timeline-0'].length;
            const view = document.querySelector('#timeline-charts select');
            view.value = 'every arm: backend 1';
            view.dispatchEvent(new Event('change'));
            """);
    assertThat(shown.attribute("body", "data-hidden")).isEqualTo("" + (SweptFixture.BACKENDS - 1));
    assertDrawn(drawn(shown).get("timeline-0"), "shares of one backend", SweptFixture.arms(3));
  }

  @Test
  void pointsAreSortedByTheirNumbers() throws Exception {
    Report.of(SweptFixture.named(directory, 6, List.of("nodes=1000", "nodes=9"))).write();
    Chromium.Page sorted =
        scripted(
            """
            const head = [...document.querySelectorAll('th button')].find((b) => b.textContent === 'point');
            head.click();
            const rows = [...head.closest('table').tBodies[0].rows];
            document.body.dataset.points = [...new Set(rows.map((row) => row.cells[1].textContent))].join();
            """);
    assertThat(sorted.attribute("body", "data-points"))
        .isEqualTo("as in the file,nodes=9,nodes=1000");
  }

  /** Their names were on the axis without symbols, and no switch could show their numbers. */
  @Test
  void pointsWithALoadOfTheirOwnAreDrawn() throws Exception {
    SweptFixture.named(directory, 2, List.of("near", "far"));
    Path metrics = directory.resolve("metrics.csv");
    Files.writeString(metrics, Files.readString(metrics).replaceAll("70%(.*=far,)", "90%$1"));
    Chromium.Page page = open(directory);
    assertThat(drawn(page).get("sweep-0-0"))
        .extracting(line -> line.get("name").asText() + " " + line.get("points").asInt())
        .containsExactly("arm-1 2", "arm-2 2");
    assertThat(page.dom().contains(">far, 90%</text>")).as("its load").isTrue();
    Matcher tables = Pattern.compile("<table[^>]*data-load=\"([^\"]*)\"").matcher(page.dom());
    assertThat(tables.results().map(found -> found.group(1))).isNotEmpty().containsOnly("70%");
  }

  /** Four dashes are not distinguishable: then not all lines are shown at once. */
  @Test
  void noTwoLinesOfAChartLookTheSame() throws Exception {
    Chromium.Page page = open(SweptFixture.write(directory, 2));
    assertThat(drawn(page).get("timeline-0")).hasSize(SweptFixture.BACKENDS);
    assertThat(page.dom().contains(">all lines<")).isFalse();
  }

  /** Legends are part of the page, so that they wrap and keep whole names. */
  @Test
  void everyChartHasALegend() throws Exception {
    Chromium.Page page = demo();
    for (String chart : List.of("curve", "bars", "rounds", "timeline-0")) {
      String before = page.dom().split("id=\"chart-" + chart + "\"")[0];
      String legend = before.substring(before.lastIndexOf("class=\"legend\""));
      assertThat(DEMO.armNames()).as(chart).allMatch(arm -> legend.contains(arm + "</button>"));
    }
  }

  /** The three checks of {@link #open} detect violations. */
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

  /** It was called hidden, and a hidden curve was called not measured. */
  @Test
  void whatWasNotMeasuredIsNotCalledHidden() throws Exception {
    DEMO.write(directory);
    for (String arm : DEMO.armNames()) {
      Files.delete(directory.resolve(arm + "-all.hlog"));
    }
    Chromium.Page page = open(directory);
    assertThat(page.dom().contains(">No histogram logs for this class and load.<")).isTrue();
    assertThat(page.dom().contains(">Hidden: ")).isFalse();
    Chromium.Page clicked =
        scripted(
            "document.querySelectorAll('#chart-bars').forEach((box) =>"
                + " [...box.previousElementSibling.children].forEach((_, i) =>"
                + " box.previousElementSibling.children[i].click()));");
    assertThat(clicked.dom().contains(">No histogram logs for this class and load.<")).isTrue();
    assertThat(clicked.dom())
        .containsPattern("id=\"chart-bars\"[^>]*>Hidden: click a name to show its line\\.<");
  }

  /** Tooltips told values of times without any, and a line crossed them. */
  @Test
  void nothingIsToldWhereNothingWasMeasured() throws Exception {
    DEMO.write(directory);
    Report.of(directory).write();
    Chromium.Page page =
        scripted(
            "const line = {name: 'a', points: [[2, 20], [3, 30], [4, null], [5, null], [6, 60]]};"
                + " const at = (x) => charts.readout([line], String, 'ms')([{axisValue: x}]).textContent;"
                + " document.body.dataset.told ="
                + " [1, 1.6, 2.4, 3.4, 3.6, 5, 5.6, 6.4, 7].map(at).join('|');");
    assertThat(page.attribute("body", "data-told"))
        .isEqualTo(
            "1|1.6a: 20.0 ms|2.4a: 20.0 ms|3.4a: 30.0 ms|3.6|5|5.6a: 60.0 ms|6.4a: 60.0 ms|7");
  }

  /** Names of arms slid over the headings. */
  @Test
  void headingsStayAboveTheNamesOfABigTable() throws Exception {
    Report.of(SweptFixture.write(directory, 14)).write();
    Chromium.Page page =
        scripted(
            """
            document.querySelector('#grid details').open = true;
            const box = document.querySelector('.scroll.high');
            box.scrollTop = 200;
            box.scrollIntoView({block: 'center'});
            const heads = [...box.querySelectorAll('thead th')];
            document.body.dataset.covered = heads.filter((head) => {
              const at = head.getBoundingClientRect();
              const found = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
              return !found.closest('thead');
            }).map((head) => head.textContent).join('|');
            document.body.dataset.scrolled = heads.length + ' ' + box.scrollTop;
            """);
    assertThat(page.attribute("body", "data-scrolled")).isEqualTo("10 200");
    assertThat(page.attribute("body", "data-covered")).isEmpty();
  }

  /** A screen reader said nothing about switches and charts. */
  @Test
  void switchesAndChartsHaveNames() throws Exception {
    Chromium.Page page = open(SweptFixture.write(directory, 14));
    Map<String, String> names = new TreeMap<>();
    Pattern.compile("<div [^>]*id=\"chart-([^\"]*)\"[^>]*>")
        .matcher(page.dom())
        .results()
        .filter(box -> box.group().contains("role=\"img\""))
        .forEach(box -> names.put(box.group(1), label(box.group())));
    assertThat(names)
        .containsEntry("heatmap", "Every arm, every load")
        .containsEntry("bars", "Percentiles side by side")
        .containsEntry("ratios", "Against arm-1")
        .containsEntry("sweep-0-1", "P99 ms over load")
        .containsEntry("sweep-1-1", "P99 ms over model.network.one-way")
        .containsEntry("timeline-0", "share_pct over time")
        .doesNotContainKey("curve");
    assertThat(drawn(page).get("curve")).as("without a log").isEmpty();
    assertThat(
            Pattern.compile("<fieldset[^>]*>")
                .matcher(page.dom())
                .results()
                .map(set -> label(set.group())))
        .contains("load", "percentile", "arms");
  }

  private static String label(String tag) {
    Matcher label = Pattern.compile("aria-label=\"([^\"]*)\"").matcher(tag);
    return label.find() ? label.group(1) : "";
  }

  /** On a logarithmic panel the lower end of a whisker was below the panel. */
  @Test
  void whiskersStayInTheirPanels() throws Exception {
    List<Arm> arms = List.of(new Arm("stock", 1, 70), new Arm("slow", 90, 70));
    new ResultFixture(arms, List.of("70%"), 8).write(directory);
    Report.of(directory).write();
    Chromium.Page page =
        scripted(
            "const data = JSON.parse(document.getElementById('data').textContent);"
                + " data.results[0].quantiles[0] = [11, 4, 30];"
                + " const chosen = {class: 'all', load: '70%', visible: data.arms};"
                + " const option = charts.bars(data, chosen, {width: 1000});"
                + " document.body.dataset.least = option.yAxis[0].type + option.yAxis[0].min;");
    assertThat(page.attribute("body", "data-least")).isEqualTo("log1");
  }

  /** A printed page did not say of which class, load and percentile it is. */
  @Test
  void paperShowsTheSelection() throws Exception {
    ResultFixture fixture =
        new ResultFixture(List.of(new Arm("stock", 1, 70)), List.of("50%", "70%"), 8);
    fixture.write(directory);
    Report.of(directory).write();
    Chromium.Page page =
        scripted(
            "const width = () => document.querySelector('#chart-curve svg').clientWidth;"
                + " const wide = width(); window.dispatchEvent(new Event('beforeprint'));"
                + " const paper = width(); window.dispatchEvent(new Event('afterprint'));"
                + " document.body.dataset.widths = [wide > 1000, paper, width() === wide].join(' ');"
                + " const print = [...document.styleSheets[0].cssRules].find((rule) =>"
                + " rule.media && rule.media.mediaText === 'print');"
                + " const shown = (selector) => ![...print.cssRules].some((rule) =>"
                + " rule.style.display === 'none'"
                + " && document.querySelector(selector).matches(rule.selectorText));"
                + " document.body.dataset.printed = ['#switches', '#switch-quantile',"
                + " '#switches button[aria-pressed=true]', '#switches button[aria-pressed=false]']"
                + ".map(shown).join(' ');");
    assertThat(page.attribute("body", "data-widths")).isEqualTo("true 700 true");
    assertThat(page.attribute("body", "data-printed")).isEqualTo("true true true false");
  }

  /** The written page after a further script. */
  private Chromium.Page scripted(String script) throws Exception {
    String page = Files.readString(directory.resolve("report.html"));
    Path clicked = directory.resolve("scripted.html");
    Files.writeString(
        clicked,
        page.replaceFirst("<meta http-equiv[^>]*>", "") + "<script>" + script + "</script>");
    Chromium.Page shown = Chromium.open(clicked, browser);
    assertThat(shown.attribute("html", "data-errors")).isEqualTo("[]");
    return shown;
  }

  private Chromium.Page open(ResultFixture fixture) throws Exception {
    return open(fixture.write(directory));
  }

  private Chromium.Page open(Path results) throws Exception {
    Path html = Report.of(results).write();
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
