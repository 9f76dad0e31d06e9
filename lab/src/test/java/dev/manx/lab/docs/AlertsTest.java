/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The alert rules and the board's queries, as far as they can be checked without a node. Their
 * syntax, and on what the alerts fire, is checked where Prometheus' own tool is installed.
 */
class AlertsTest {
  @TempDir Path folder;

  @Test
  void theGuideSaysOfEveryAlertWhatToDo() throws IOException {
    String page = Files.readString(ManxHome.find().root().resolve("docs/operate/monitoring.md"));
    assertThat(
            Pattern.compile("(?m)^\\| `(Manx\\w+)` \\|")
                .matcher(page)
                .results()
                .map((MatchResult row) -> row.group(1)))
        .containsExactlyElementsOf(Dashboards.alerts().keySet());
  }

  /** A rule without the rest of the file makes series that board and alerts do not know. */
  @Test
  void theGuideNamesEverythingThatAnExistingExporterNeeds() throws IOException {
    String page = Files.readString(ManxHome.find().root().resolve("docs/operate/monitoring.md"));
    String step = page.substring(page.indexOf("\n1. Put [Prometheus' JMX"), page.indexOf("\n2. "));
    String file = Files.readString(Dashboards.FOLDER.resolve("jmx-exporter.yaml"));
    List<String> keys =
        Pattern.compile("(?m)^(\\w+):").matcher(file).results().map(key -> key.group(1)).toList();
    assertThat(keys)
        .contains("lowercaseOutputName", "rules")
        .allMatch(key -> step.contains("`" + key + "`") || step.contains("`" + key + ": true`"));
    assertThat(page.lines().filter(line -> line.startsWith("| `ManxMissing` |")))
        .singleElement(as(STRING))
        .contains("`lowercaseOutputName: true`");
  }

  @Test
  void everyAlertFiresInATestOfTheRules() throws IOException {
    Path file = Dashboards.FOLDER.resolve("alerts-test.yaml");
    ConfigNode top = ConfigNode.parse("alerts-test.yaml", Files.readString(file));
    Set<String> firing = new TreeSet<>();
    for (ConfigNode test : top.at("tests").items()) {
      for (ConfigNode moment : test.at("alert_rule_test").items()) {
        if (moment.find("exp_alerts").isPresent()) {
          firing.add(moment.at("alertname").text());
        }
      }
    }
    assertThat(firing).containsExactlyInAnyOrderElementsOf(Dashboards.alerts().keySet());
  }

  @Test
  @Tag("engines")
  void prometheusReadsTheRules() throws Exception {
    promtool("check", "rules", "alerts.yaml");
  }

  @Test
  @Tag("engines")
  void theAlertsFireOnWhatTheyAreFor() throws Exception {
    promtool("test", "rules", "alerts-test.yaml");
  }

  @Test
  @Tag("engines")
  void prometheusReadsTheBoardsQueries() throws Exception {
    List<Map<String, String>> rules = new ArrayList<>();
    for (String query : Dashboards.boardQueries()) {
      if (!query.startsWith("label_values")) {
        String filled = query.replace("$__rate_interval", "5m").replaceAll("\\$\\w+", ".*");
        rules.add(Map.of("record", "board:" + rules.size(), "expr", filled));
      }
    }
    // JSON is YAML.
    Path file = folder.resolve("board.yaml");
    new ObjectMapper()
        .writeValue(
            file.toFile(), Map.of("groups", List.of(Map.of("name", "board", "rules", rules))));
    promtool("check", "rules", file.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1_7000", "[2001_db8__1]_7000", "_2001_db8__1__7000"})
  void theExportersRulesTakeAnyPeer(String peer) throws IOException {
    String bean = "org.apache.cassandra.metrics<type=Manx, peer=%s, name=PeerSlowness><>Value";
    List<String> labels =
        Pattern.compile("(?m)^  - pattern: '(.*)'$")
            .matcher(Files.readString(Dashboards.FOLDER.resolve("jmx-exporter.yaml")))
            .results()
            .map(rule -> Pattern.compile(rule.group(1)).matcher(bean.formatted(peer)))
            .filter(Matcher::matches)
            .map(matched -> matched.group(1))
            .toList();
    assertThat(labels).containsExactly(peer);
  }

  private static void promtool(String... words) throws IOException, InterruptedException {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(at -> Files.isExecutable(Path.of(at, "promtool")));
    if (!installed) {
      assertThat(System.getenv("CI")).as("continuous integration has promtool").isNull();
    }
    assumeTrue(installed, "promtool (Debian's package prometheus) is not installed");
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .directory(Dashboards.FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
