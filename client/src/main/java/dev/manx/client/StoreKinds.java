/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

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

  private record BuiltIn(String name, Function<ConfigNode, StoreFactory> reader)
      implements StoreKind {
    @Override
    public StoreFactory read(ConfigNode node) {
      return reader.apply(node);
    }
  }

  private StoreKinds() {}

  /** Reads a kind of store, or a mapping with {@code kind} and its settings. */
  static StoreFactory store(ConfigNode node) {
    ConfigNode named = node.isMapping() ? node.at("kind") : node;
    String name = named.text();
    Services<StoreKind> kinds =
        Services.find(
            StoreKind.class,
            StoreKind::name,
            List.of(
                new BuiltIn("caffeine", at -> CaffeineStore.factory(timeToLive(at))),
                new BuiltIn("lru", at -> LruStore.factory())));
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
    InvalidationChannel channel =
        named(
                node,
                ChannelKind.class,
                ChannelKind::name,
                List.of(new StatisticsChannelKind()),
                CHANNEL_ARTIFACTS)
            .read(node);
    node.noOtherKeys();
    return channel;
  }

  /** Reads a second level: a mapping in which one key names its kind. */
  static SecondLevel secondLevel(ConfigNode node) {
    LevelKind kind = named(node, LevelKind.class, LevelKind::name, List.of(), LEVEL_ARTIFACTS);
    LevelSettings settings = LevelSettings.read(node);
    LevelLink link = kind.read(node, settings);
    node.noOtherKeys();
    return new SecondLevel(link, settings);
  }

  private static <T> T named(
      ConfigNode node,
      Class<T> service,
      Function<T, String> nameOf,
      List<T> builtIn,
      Map<String, String> artifacts) {
    Services<T> kinds = Services.find(service, nameOf, builtIn);
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
        ? node.find("time-to-live")
            .map(n -> Duration.ofNanos(n.durationNanos(0, Duration.ofDays(30).toNanos())))
            .orElse(Duration.ZERO)
        : Duration.ZERO;
  }
}
