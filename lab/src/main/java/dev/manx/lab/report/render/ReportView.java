/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Access to {@code report.json} for page and terminal. Immutable. */
final class ReportView {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode top;
  private final List<Table> tables = new ArrayList<>();

  ReportView(JsonNode top) {
    this.top = top;
    try {
      for (JsonNode table : top.path("tables")) {
        tables.add(JSON.treeToValue(table, Table.class));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no tables of a report: " + e.getMessage(), e);
    }
  }

  JsonNode top() {
    return top;
  }

  /** A text; empty if missing. */
  String text(String key) {
    return top.path(key).asText("");
  }

  boolean flag(String key) {
    return top.path(key).asBoolean();
  }

  List<String> texts(String key) {
    return stream(key).map(JsonNode::asText).toList();
  }

  /** The entries of a list. */
  Stream<JsonNode> stream(String key) {
    return StreamSupport.stream(top.path(key).spliterator(), false);
  }

  /** The entries of a list for one load. */
  List<JsonNode> at(String load, String key) {
    return stream(key).filter(one -> one.path("load").asText().equals(load)).toList();
  }

  /** The tables of a part of the report, in their order. */
  List<Table> tables(String section) {
    return tables.stream().filter(table -> table.section().equals(section)).toList();
  }

  /** The sentence of a verdict, preceded by the class unless it is {@code all}. */
  static String headed(JsonNode verdict) {
    String sentence = verdict.path("sentence").asText();
    String requestClass = verdict.path("class").asText();
    return requestClass.equals("all") ? sentence : requestClass + ": " + sentence;
  }
}
