/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.policy.config.NodeSettings;
import dev.manx.policy.config.Setting;
import java.util.List;

/** The JSON schema of the sections of a node's {@code manx.yaml} next to its strategy. */
final class NodeSchema {
  private NodeSchema() {}

  /** Adds the sections to a document's properties, and the rule that such a file has no others. */
  static void addTo(ObjectNode top) {
    ObjectNode properties = (ObjectNode) top.get("properties");
    properties.set(NodeSettings.PLUGIN_SECTION, plugin());
    properties.set(NodeSettings.RECORD_SECTION, section(NodeSettings.RECORD));
    ArrayNode isOfNode = top.putObject("if").putArray("anyOf");
    for (String name : NodeSettings.SECTIONS) {
      isOfNode.addObject().putArray("required").add(name);
    }
    ArrayNode names = top.putObject("then").putObject("propertyNames").putArray("enum");
    names.add("strategy");
    NodeSettings.SECTIONS.forEach(names::add);
  }

  private static ObjectNode plugin() {
    ObjectNode plugin = section(NodeSettings.PLUGIN);
    ObjectNode properties = (ObjectNode) plugin.get("properties");
    properties.set(NodeSettings.BREAKER_SECTION, section(NodeSettings.BREAKER));
    properties.set(NodeSettings.IN_FLIGHT_SECTION, section(NodeSettings.IN_FLIGHT));
    properties.set(NodeSettings.CANARY_SECTION, canary());
    return plugin;
  }

  /** A share, or a mapping with lists of tables. */
  private static ObjectNode canary() {
    ObjectNode mapping = section(List.of(NodeSettings.CANARY_SHARE));
    ObjectNode properties = (ObjectNode) mapping.get("properties");
    for (Setting each : List.of(NodeSettings.CANARY_KEYSPACE, NodeSettings.CANARY_TABLE)) {
      ObjectNode list = properties.putObject(each.name()).put("description", each.meaning());
      ArrayNode forms = list.putArray("anyOf");
      forms.add(SettingSchema.of(each));
      forms.addObject().put("type", "array").set("items", SettingSchema.of(each));
    }
    ObjectNode canary = JsonNodeFactory.instance.objectNode();
    canary.putArray("anyOf").add(SettingSchema.of(NodeSettings.CANARY_SHARE)).add(mapping);
    return canary;
  }

  /** A mapping of settings; without a value it has the defaults. */
  private static ObjectNode section(List<Setting> settings) {
    ObjectNode section = StrategySchema.settings(StrategySchema.mapping(), settings);
    section.putArray("type").add("object").add("null");
    return section;
  }
}
