/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.client.SettingLists;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.store.StoreKind;
import dev.manx.policy.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/** The JSON schema of the mapping {@code cache}, which configures the client library. */
final class CacheSchema {
  private CacheSchema() {}

  /**
   * The schema.
   *
   * @param policy the schema of a policy that divides a cache
   */
  static ObjectNode of(ObjectNode policy) {
    ObjectNode cache = StrategySchema.settings(StrategySchema.mapping(), SettingLists.cache());
    ObjectNode properties = properties(cache);
    properties.set("policy", policy);
    properties.set("store", stores());
    ArrayNode channels = properties.putObject("invalidations").putArray("anyOf");
    for (ChannelKind kind : SettingLists.channels()) {
      channels.add(addressed(kind.name(), kind.settings()));
    }
    ArrayNode levels = properties.putObject("second-level").putArray("anyOf");
    for (LevelKind kind : SettingLists.secondLevels()) {
      levels.add(
          addressed(
              kind.name(),
              Stream.concat(LevelSettings.SETTINGS.stream(), kind.settings().stream()).toList()));
    }
    ObjectNode statistics =
        StrategySchema.settings(StrategySchema.mapping(), SettingLists.statistics());
    properties(statistics).set("server", address());
    statistics.putArray("required").add("server");
    properties.set("statistics", statistics);
    properties.set("backend", backend());
    ObjectNode backends = JsonNodeFactory.instance.objectNode().put("type", "object");
    backends.set("additionalProperties", backend());
    properties.set("backends", backends);
    return cache;
  }

  /** A kind by its bare name, or a mapping with its settings. */
  private static ObjectNode stores() {
    ObjectNode store = JsonNodeFactory.instance.objectNode();
    ArrayNode forms = store.putArray("anyOf");
    ArrayNode bare = forms.addObject().putArray("enum");
    for (StoreKind kind : SettingLists.stores()) {
      bare.add(kind.name());
      ObjectNode mapping = StrategySchema.settings(StrategySchema.mapping(), kind.settings());
      properties(mapping).putObject("kind").put("const", kind.name());
      properties(mapping)
          .putObject("instances")
          .put("type", "object")
          .put("description", "the address of each backend's server, for stores on servers")
          .set("additionalProperties", address());
      mapping.putArray("required").add("kind");
      forms.add(mapping);
    }
    return store;
  }

  /** A mapping in which the name of its kind is the key of an address. */
  private static ObjectNode addressed(String kind, List<Setting> settings) {
    List<Setting> all =
        Stream.concat(Stream.of(ChannelKind.APPLICATION), settings.stream()).toList();
    ObjectNode mapping = StrategySchema.settings(StrategySchema.mapping(), all);
    properties(mapping).set(kind, address());
    mapping.putArray("required").add(kind).add(ChannelKind.APPLICATION.name());
    return mapping;
  }

  private static ObjectNode backend() {
    ObjectNode backend = StrategySchema.settings(StrategySchema.mapping(), SettingLists.backend());
    properties(backend)
        .set("breaker", StrategySchema.settings(StrategySchema.mapping(), SettingLists.breaker()));
    return backend;
  }

  private static ObjectNode address() {
    return JsonNodeFactory.instance.objectNode().put("type", "string");
  }

  private static ObjectNode properties(ObjectNode mapping) {
    return (ObjectNode) mapping.get("properties");
  }
}
