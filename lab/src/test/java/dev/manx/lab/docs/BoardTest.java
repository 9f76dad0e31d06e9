/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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
}
