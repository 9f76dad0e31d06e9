/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The kinds of stores and channels that configuration can name: those of this jar, and those that
 * other jars add by service files.
 */
final class Kinds {
  /** Manx's artifacts by the kinds of stores that they add. */
  private static final Map<String, String> STORE_ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "memcached", "dev.manx:manx-client-memcached",
              "redis", "dev.manx:manx-client-redis"));

  /** Manx's artifacts by the kinds of channels that they add. */
  private static final Map<String, String> CHANNEL_ARTIFACTS =
      new TreeMap<>(Map.of("redis", "dev.manx:manx-client-redis"));

  private record BuiltIn(String name, Function<ConfigNode, StoreFactory> reader)
      implements StoreKind {
    @Override
    public StoreFactory read(ConfigNode node) {
      return reader.apply(node);
    }
  }

  private Kinds() {}

  /** Reads a kind of store, or a mapping with {@code kind} and its settings. */
  static StoreFactory store(ConfigNode node) {
    ConfigNode named = node.isMapping() ? node.at("kind") : node;
    String name = named.text();
    Map<String, StoreKind> kinds =
        byName(
            StoreKind::name,
            StoreKind.class,
            List.of(
                new BuiltIn("caffeine", at -> CaffeineStore.factory(timeToLive(at))),
                new BuiltIn("lru", at -> LruStore.factory())));
    if (!kinds.containsKey(name)) {
      throw missing(named, name, kinds, STORE_ARTIFACTS);
    }
    StoreFactory factory = kinds.get(name).read(node);
    if (node.isMapping()) {
      node.noOtherKeys();
    }
    return factory;
  }

  /** Reads a channel for invalidations: a mapping in which one key names its kind. */
  static InvalidationChannel channel(ConfigNode node) {
    Map<String, ChannelKind> kinds = byName(ChannelKind::name, ChannelKind.class, List.of());
    String name =
        node.names().stream()
            .filter(key -> kinds.containsKey(key) || CHANNEL_ARTIFACTS.containsKey(key))
            .findFirst()
            .orElse("");
    if (!kinds.containsKey(name)) {
      throw missing(node, name, kinds, CHANNEL_ARTIFACTS);
    }
    InvalidationChannel channel = kinds.get(name).read(node);
    node.noOtherKeys();
    return channel;
  }

  private static <T> Map<String, T> byName(
      Function<T, String> name, Class<T> service, List<T> builtIn) {
    List<T> all = new ArrayList<>(builtIn);
    ServiceLoader.load(service, Kinds.class.getClassLoader()).forEach(all::add);
    Map<String, T> kinds = new LinkedHashMap<>();
    for (T kind : all) {
      T other = kinds.putIfAbsent(name.apply(kind), kind);
      if (other != null) {
        throw new IllegalStateException(
            name.apply(kind) + " is the name of two kinds: " + other + ", " + kind);
      }
    }
    return kinds;
  }

  private static ConfigException missing(
      ConfigNode where, String name, Map<String, ?> kinds, Map<String, String> artifacts) {
    if (artifacts.containsKey(name)) {
      return where.refuseBecause(
          name + " needs the artifact " + artifacts.get(name) + " on the class path");
    }
    List<String> allowed = new ArrayList<>(kinds.keySet());
    artifacts.forEach(
        (kind, artifact) -> {
          if (!kinds.containsKey(kind)) {
            allowed.add(kind + " (with the artifact " + artifact + ")");
          }
        });
    return where.refuse("one of " + String.join(", ", allowed));
  }

  private static Duration timeToLive(ConfigNode node) {
    return node.isMapping()
        ? node.find("time-to-live")
            .map(n -> Duration.ofNanos(n.durationNanos(0, Duration.ofDays(30).toNanos())))
            .orElse(Duration.ZERO)
        : Duration.ZERO;
  }
}
