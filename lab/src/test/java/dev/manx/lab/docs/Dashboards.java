/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of {@code dashboards/} and the queries in them. */
public final class Dashboards {
  /** The folder. */
  public static final Path FOLDER = ManxHome.find().root().resolve("dashboards");

  private Dashboards() {}

  /** The expression of every alert, by its name. */
  public static Map<String, String> alerts() throws IOException {
    return rules("alert");
  }

  /** The expression of every alert and of every recorded series, by its name. */
  public static Map<String, String> rules() throws IOException {
    Map<String, String> rules = rules("record");
    rules.putAll(alerts());
    return rules;
  }

  private static Map<String, String> rules(String kind) throws IOException {
    ConfigNode top =
        ConfigNode.parse("alerts.yaml", Files.readString(FOLDER.resolve("alerts.yaml")));
    Map<String, String> rules = new LinkedHashMap<>();
    for (ConfigNode group : top.at("groups").items()) {
      for (ConfigNode rule : group.at("rules").items()) {
        rule.find(kind).ifPresent(name -> rules.put(name.text(), rule.at("expr").text()));
      }
    }
    return rules;
  }

  /** The query of every panel and variable of the board. */
  public static List<String> boardQueries() throws IOException {
    List<String> queries = new ArrayList<>();
    collect(new ObjectMapper().readTree(FOLDER.resolve("grafana/manx.json").toFile()), queries);
    return queries;
  }

  private static void collect(JsonNode node, List<String> queries) {
    for (String field : List.of("expr", "definition")) {
      if (node.path(field).isTextual()) {
        queries.add(node.get(field).textValue());
      }
    }
    node.forEach(child -> collect(child, queries));
  }
}
