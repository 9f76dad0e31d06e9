/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoardTest {
  /** Its upper row shows medians over nodes, which mean nothing across clusters. */
  @Test
  void itShowsOneClusterAtATime() throws IOException {
    JsonNode board =
        new ObjectMapper().readTree(Dashboards.FOLDER.resolve("grafana/manx.json").toFile());
    for (JsonNode variable : board.at("/templating/list")) {
      if (variable.path("name").asText().equals("cluster")) {
        assertThat(variable.path("includeAll").asBoolean(true)).isFalse();
        assertThat(variable.path("multi").asBoolean(true)).isFalse();
        assertThat(variable.path("current")).as("Grafana takes the first").isEmpty();
        return;
      }
    }
    throw new AssertionError("the board has no variable `cluster`");
  }

  private static List<JsonNode> panels() throws IOException {
    List<JsonNode> panels = new ArrayList<>();
    new ObjectMapper()
        .readTree(Dashboards.FOLDER.resolve("grafana/manx.json").toFile())
        .get("panels")
        .forEach(panels::add);
    return panels;
  }

  /** Without an engine the gauge is 0, and such a node was shown as busy. */
  @Test
  void aNodeThatIsOffIsNeitherCalmNorBusy() throws IOException {
    assertThat(panels())
        .filteredOn(panel -> panel.get("title").asText().equals("Calm"))
        .singleElement()
        .satisfies(
            panel -> {
              assertThat(panel.at("/targets/0/expr").asText())
                  .endsWith(" and on (cluster, job, instance) cassandra_manx_mode > 0");
              assertThat(panel.at("/fieldConfig/defaults/noValue").asText()).isEqualTo("off");
            });
  }

  /** With such a canary, the requests of all other tables are in none of these series. */
  @Test
  void panelsOfRequestsSayThatACanaryOfSomeTablesLimitsThem() throws IOException {
    assertThat(panels())
        .filteredOn(
            panel ->
                panel
                    .at("/targets/0/expr")
                    .asText()
                    .matches(".*cassandra_manx_request(latency|sfailed|stimedout).*"))
        .hasSize(4)
        .allMatch(panel -> panel.get("description").asText().contains("a canary of some tables"));
  }

  /**
   * Panels next to each other cannot be compared if one is of the median node, one of the worst.
   */
  @Test
  void panelsOfSeveralNodesSayWhichOneTheyShow() throws IOException {
    JsonNode board =
        new ObjectMapper().readTree(Dashboards.FOLDER.resolve("grafana/manx.json").toFile());
    int seen = 0;
    for (JsonNode panel : board.get("panels")) {
      String title = panel.get("title").asText();
      String description = panel.path("description").asText();
      for (JsonNode target : panel.path("targets")) {
        String query = target.path("expr").asText();
        if (query.contains("$instance")) {
          continue;
        }
        if (query.startsWith("max by")) {
          assertThat(description).as(title).containsIgnoringCase("worst node");
          seen++;
        }
        if (query.startsWith("quantile by")) {
          assertThat(query).as(title).contains("(0.5, ");
          assertThat(description).as(title).contains("The median node.");
          seen++;
        }
        if (title.contains("by width")) {
          assertThat(query).as(title).startsWith("quantile by (group, width) (0.5, ");
        }
      }
    }
    assertThat(seen).isGreaterThan(3);
  }
}
