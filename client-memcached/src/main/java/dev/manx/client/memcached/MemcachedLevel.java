/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.Texts;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A second level in memcached 1.6: one server, or several that share the keys. The servers may have
 * other uses; keys begin with {@code manx:level:APPLICATION:}.
 */
public final class MemcachedLevel implements LevelLink {
  /** Below memcached's limit of 250 characters. */
  private static final int LONGEST_KEY = 245;

  private static final int KEYS_AT_ONCE = 100;
  private static final long LONGEST_EXPIRY_SECONDS = TimeUnit.DAYS.toSeconds(30);

  private final Fleet fleet;
  private final Map<String, Pipeline> pipelines = new HashMap<>();

  MemcachedLevel(List<InetSocketAddress> servers, LevelSettings settings) {
    fleet = new Fleet(servers);
    servers.forEach(at -> pipelines.put(Fleet.text(at), new Pipeline(at, settings.timeout())));
  }

  /**
   * Creates a second level for {@code FanoutCacheBuilder.secondLevel}.
   *
   * @param servers at least one, each once; all servers of the application must use the same host
   *     names and ports. An unresolved address is resolved at each connection
   */
  public static SecondLevel at(List<InetSocketAddress> servers, LevelSettings settings) {
    return new SecondLevel(new MemcachedLevel(servers, settings), settings);
  }

  /** Connections are made when needed. */
  @Override
  public void open() {}

  @Override
  public String place(String name) {
    return fleet.of(name);
  }

  private Pipeline pipeline(String name) {
    return pipelines.get(place(name));
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> names) {
    Map<String, String> byKey = new HashMap<>();
    names.forEach(name -> byKey.put(key(name), name));
    List<String> keys = new ArrayList<>(byKey.keySet());
    List<CompletableFuture<Map<String, Command.Item>>> parts = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE));
      parts.add(pipeline(byKey.get(some.get(0))).send(Command.get(some)));
    }
    return all(parts)
        .thenApply(
            done -> {
              Map<String, byte[]> found = new HashMap<>();
              parts.forEach(
                  part ->
                      part.join().forEach((key, item) -> found.put(byKey.get(key), item.value())));
              return found;
            });
  }

  @Override
  public CompletionStage<Boolean> add(String name, byte[] value, Duration expiry) {
    return pipeline(name).send(Command.add(key(name), value, seconds(expiry)));
  }

  @Override
  public CompletionStage<Boolean> replace(String name, byte[] seen, byte[] value, Duration expiry) {
    String key = key(name);
    Pipeline pipeline = pipeline(name);
    return pipeline
        .send(Command.get(List.of(key)))
        .thenCompose(
            found -> {
              Command.Item item = found.get(key);
              // Any concurrent change of the item also changes its version.
              return item != null && beginsWith(item.value(), seen)
                  ? pipeline.send(Command.replace(key, value, seconds(expiry), item.version()))
                  : CompletableFuture.completedFuture(false);
            });
  }

  private static boolean beginsWith(byte[] value, byte[] head) {
    return value.length >= head.length
        && Arrays.equals(value, 0, head.length, head, 0, head.length);
  }

  @Override
  public CompletionStage<?> delete(Collection<String> names) {
    return all(names.stream().map(name -> pipeline(name).send(Command.delete(key(name)))).toList());
  }

  private static CompletableFuture<Void> all(Collection<? extends CompletableFuture<?>> some) {
    return CompletableFuture.allOf(some.toArray(CompletableFuture<?>[]::new));
  }

  /** A key that memcached accepts: the end of a long name is replaced by its digest. */
  static String key(String name) {
    return Texts.shortened(name, LONGEST_KEY);
  }

  /**
   * Adds a second, because memcached's clock ticks once a second: an entry carries its own age, and
   * a lease must not end early.
   */
  private static int seconds(Duration expiry) {
    return expiry == null
        ? 0
        : (int) Math.min(LONGEST_EXPIRY_SECONDS, expiry.plusMillis(1_999).toSeconds());
  }

  @Override
  public void renew() {
    pipelines.values().forEach(Pipeline::renew);
  }

  @Override
  public void close() {
    pipelines.values().forEach(Pipeline::close);
  }
}
