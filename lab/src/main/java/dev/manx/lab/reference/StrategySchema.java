/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.Exchange;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.oracle.Forecast;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Presets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A JSON schema of a node's file, of a strategy's document and of the client library's settings,
 * for editors that complete and check YAML: the existing parts, policies, settings and presets. It
 * does not contain rules between parts; Manx checks those when it reads the document.
 */
public final class StrategySchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final List<PolicyInfo> policies;

  private StrategySchema(List<PolicyInfo> policies) {
    this.policies = policies;
  }

  /**
   * The schema of a node's {@code manx.yaml}, and of any document with the key {@code strategy} or
   * {@code cache}. Other keys are ignored, except in a node's file.
   */
  public static ObjectNode of(List<PolicyInfo> policies) {
    StrategySchema schema = new StrategySchema(policies);
    ObjectNode top = JSON.objectNode();
    top.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    top.put("title", "A node's manx.yaml, a strategy or a cache of Manx");
    top.put("type", "object");
    ObjectNode properties = top.putObject("properties");
    properties.set("strategy", schema.strategy());
    properties.set("cache", CacheSchema.of(schema.family("cache")));
    NodeSchema.addTo(top);
    return top;
  }

  /** The schemas of the parts of experiments that policies define, by owner. */
  static Map<String, ObjectNode> documents(List<PolicyInfo> policies) {
    StrategySchema schema = new StrategySchema(policies);
    ObjectNode strategy = schema.strategy();
    ObjectNode file = JSON.objectNode().put("description", "a file that holds the strategy");
    ((ArrayNode) strategy.get("anyOf")).add(file.put("type", "string"));
    Map<String, ObjectNode> documents = new LinkedHashMap<>();
    documents.put("strategy", strategy);
    for (String family : List.of("cache", "idle")) {
      documents.put(family, schema.family(family));
    }
    return documents;
  }

  private ObjectNode strategy() {
    ObjectNode strategy = JSON.objectNode();
    strategy.putArray("anyOf").add(presets()).add(parts());
    return strategy;
  }

  private ObjectNode presets() {
    ObjectNode preset = JSON.objectNode().put("description", "a preset");
    ArrayNode names = preset.putArray("enum");
    Presets.all().forEach(one -> names.add(one.name()));
    return preset;
  }

  private ObjectNode parts() {
    ObjectNode parts = mapping();
    ObjectNode properties = parts.putObject("properties");
    for (String family : List.of("select", "order", "fanout", "bound")) {
      properties.set(family, family(family));
    }
    ObjectNode oracles = mapping();
    ObjectNode kinds = oracles.putObject("properties");
    for (String kind : List.of("size", "popularity")) {
      kinds.set(kind, choice(policy -> policy.name().startsWith("oracle." + kind + "-"), true));
    }
    kinds.set("forecast", settings(mapping(), Forecast.SETTINGS));
    properties.set("oracles", oracles);
    properties.set("exchange", settings(mapping(), Exchange.SETTINGS));
    properties.set("facts", facts());
    return parts;
  }

  private ObjectNode family(String family) {
    return choice(policy -> policy.family().equals(family), false);
  }

  /** A policy by its bare name, or a mapping with its name and settings. */
  private ObjectNode choice(Predicate<PolicyInfo> family, boolean mayBeNone) {
    ObjectNode choice = JSON.objectNode();
    ArrayNode forms = choice.putArray("anyOf");
    ArrayNode bare = forms.addObject().putArray("enum");
    if (mayBeNone) {
      bare.add("none");
    }
    for (PolicyInfo policy : policies) {
      if (family.test(policy)) {
        bare.add(policy.name());
        ObjectNode mapping = mapping().put("description", policy.summary());
        mapping.putArray("required").add("policy");
        settings(mapping, policy.settings());
        ((ObjectNode) mapping.get("properties")).putObject("policy").put("const", policy.name());
        forms.add(mapping);
      }
    }
    return choice;
  }

  private static ObjectNode facts() {
    ObjectNode name = JSON.objectNode();
    ArrayNode names = name.putArray("enum");
    Fact.ALL.forEach(fact -> names.add(fact.name()));
    ObjectNode facts = JSON.objectNode();
    ArrayNode forms = facts.putArray("anyOf");
    forms.add(name);
    forms.addObject().put("type", "array").put("uniqueItems", true).set("items", name);
    return facts;
  }

  /** A mapping that allows only its properties as keys. */
  static ObjectNode mapping() {
    return JSON.objectNode().put("type", "object").put("additionalProperties", false);
  }

  /** Gives a mapping its properties, and returns it. */
  static ObjectNode settings(ObjectNode mapping, List<Setting> settings) {
    ObjectNode properties = mapping.putObject("properties");
    for (Setting setting : settings) {
      ObjectNode value = SettingSchema.of(setting);
      value.put("description", setting.meaning() + "; " + setting.range());
      if (setting.standard() != null) {
        value.put("default", setting.write(setting.standard()));
      }
      properties.set(setting.name(), value);
    }
    return mapping;
  }
}
