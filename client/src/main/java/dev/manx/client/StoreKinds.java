/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.config.Durations;
import dev.manx.client.exchange.StatisticsChannelKind;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The kinds of stores, channels and second levels that the configuration can name: those of this
 * jar, and those that other jars add by service files.
 */
final class StoreKinds {
  /** Artifacts of Manx by the kinds of stores that they add. */
  private static final Map<String, String> STORE_ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "memcached", "dev.manx:manx-client-memcached",
              "redis", "dev.manx:manx-client-redis"));

  /** Artifacts of Manx by the kinds of channels that they add. */
  private static final Map<String, String> CHANNEL_ARTIFACTS =
      new TreeMap<>(Map.of("redis", "dev.manx:manx-client-redis"));

  /** Artifacts of Manx by the kinds of second levels that they add. */
  private static final Map<String, String> LEVEL_ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "memcached", "dev.manx:manx-client-memcached",
              "redis", "dev.manx:manx-client-redis"));

  private static final Setting TIME_TO_LIVE =
      Setting.duration(
          "time-to-live", "0", "0", "720h", "older entries are dropped; 0: entries do not expire");

  /** The kinds of this jar. */
  private static final List<StoreKind> BUILT_IN =
      List.of(
          new BuiltIn(
              "caffeine", List.of(TIME_TO_LIVE), node -> CaffeineStore.factory(timeToLive(node))),
          new BuiltIn("lru", List.of(), node -> LruStore.factory()));

  private static final List<ChannelKind> BUILT_IN_CHANNELS = List.of(new StatisticsChannelKind());

  private record BuiltIn(
      String name, List<Setting> settings, Function<ConfigNode, StoreFactory> reader)
      implements StoreKind {
    @Override
    public StoreFactory read(ConfigNode node) {
      return reader.apply(node);
    }
  }

  private StoreKinds() {}

  /** The kinds of stores on the class path. */
  static Services<StoreKind> stores() {
    return Services.find(StoreKind.class, StoreKind::name, BUILT_IN);
  }

  /** The kinds of invalidation channels on the class path. */
  static Services<ChannelKind> channels() {
    return Services.find(ChannelKind.class, ChannelKind::name, BUILT_IN_CHANNELS);
  }

  /** The kinds of second levels on the class path. */
  static Services<LevelKind> secondLevels() {
    return Services.find(LevelKind.class, LevelKind::name, List.of());
  }

  /** Reads a kind of store, or a mapping with {@code kind} and its settings. */
  static StoreFactory store(ConfigNode node) {
    ConfigNode named = node.isMapping() ? node.at("kind") : node;
    String name = named.text();
    Services<StoreKind> kinds = stores();
    if (!kinds.names().contains(name)) {
      throw missing(named, name, kinds, STORE_ARTIFACTS);
    }
    StoreFactory factory = kinds.byName().get(name).read(node);
    if (node.isMapping()) {
      node.noOtherKeys();
    }
    return factory;
  }

  /** Reads an invalidation channel: a mapping in which one key names its kind. */
  static InvalidationChannel channel(ConfigNode node) {
    InvalidationChannel channel = named(node, channels(), CHANNEL_ARTIFACTS).read(node);
    node.noOtherKeys();
    return channel;
  }

  /** Reads a second level: a mapping in which one key names its kind. */
  static SecondLevel secondLevel(ConfigNode node) {
    LevelKind kind = named(node, secondLevels(), LEVEL_ARTIFACTS);
    LevelSettings settings = LevelSettings.read(node);
    LevelLink link = kind.read(node, settings);
    node.noOtherKeys();
    return new SecondLevel(link, settings);
  }

  private static <T> T named(ConfigNode node, Services<T> kinds, Map<String, String> artifacts) {
    String name =
        node.names().stream()
            .filter(key -> kinds.names().contains(key) || artifacts.containsKey(key))
            .findFirst()
            .orElse("");
    if (!kinds.names().contains(name)) {
      throw missing(node, name, kinds, artifacts);
    }
    return kinds.byName().get(name);
  }

  private static ConfigException missing(
      ConfigNode where, String name, Services<?> kinds, Map<String, String> artifacts) {
    String broken =
        kinds.broken().isEmpty()
            ? ""
            : "; could not be loaded: " + String.join("; ", kinds.broken());
    if (artifacts.containsKey(name)) {
      return where.refuseBecause(
          name + " needs the artifact " + artifacts.get(name) + " on the class path" + broken);
    }
    List<String> allowed = new ArrayList<>(kinds.names());
    artifacts.forEach(
        (kind, artifact) -> {
          if (!kinds.names().contains(kind)) {
            allowed.add(kind + " (with the artifact " + artifact + ")");
          }
        });
    return where.refuse("one of " + String.join(", ", allowed) + broken);
  }

  private static Duration timeToLive(ConfigNode node) {
    return node.isMapping()
        ? Durations.readOr(TIME_TO_LIVE, node, Durations.standard(TIME_TO_LIVE))
        : Duration.ZERO;
  }
}
