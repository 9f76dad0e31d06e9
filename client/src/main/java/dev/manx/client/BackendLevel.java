/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.Access;
import dev.manx.client.level.LevelLookUp;
import dev.manx.client.level.LevelPart;
import dev.manx.client.level.LevelStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The part of the second level that belongs to one backend, or none. Loads look there before they
 * ask the backend, and store the backend's answers there. Thread-safe.
 */
final class BackendLevel<K, V> {
  private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

  private final LevelPart<K, V> part;
  private final long longestLookNanos;
  private final HandOver.Lanes lanes;
  private final LevelPart.Life<K, V> young;

  /**
   * @param access null: there is no second level
   * @param lanes threads for loads, which run its codecs
   * @param late receives the texts of keys that the second level has removed later than {@link
   *     #forget} reported; empty: all keys. Must not block
   */
  BackendLevel(
      Access access,
      BackendSpec<K, V> spec,
      BackendSettings settings,
      HandOver.Lanes lanes,
      Consumer<List<String>> late) {
    this.lanes = lanes;
    // Time to find values, and to take leases.
    longestLookNanos = access == null ? 0 : 2 * access.settings().timeout().toNanos();
    young = access == null ? null : young(settings.freshness(), spec.expiry(), access);
    part =
        access == null
            ? null
            : new LevelPart<>(
                access,
                spec.name(),
                spec.codec().orElseThrow(),
                life(settings.freshness(), spec.expiry(), access.settings().timeToLive()),
                access.settings().timeout().plus(settings.timeOut()).plus(LEASE_MARGIN),
                System::currentTimeMillis,
                late);
  }

  private static <K, V> LevelPart.Life<K, V> life(
      Freshness fresh, Optional<Expiry<K, V>> expiry, Duration most) {
    Duration standard = fresh.timeToLive().isZero() ? most : shorter(fresh.timeToLive(), most);
    return (key, value) -> {
      Duration own = expiry.map(e -> e.timeToLive(key, value)).orElse(null);
      return (own == null ? standard : shorter(own, most)).toMillis();
    };
  }

  /**
   * The age up to which a refresh takes a value from the second level: half of the time after which
   * a value is refreshed. An older value may be the one that is to be refreshed.
   */
  private static <K, V> LevelPart.Life<K, V> young(
      Freshness fresh, Optional<Expiry<K, V>> expiry, Access access) {
    Duration most = access.settings().timeToLive();
    return (key, value) -> {
      Duration own = expiry.map(e -> e.timeToLive(key, value)).orElse(null);
      long refresh =
          own == null
              ? fresh.refreshAfter().toNanos()
              : fresh.refreshNanos(shorter(own, most).toNanos());
      return TimeUnit.NANOSECONDS.toMillis(refresh) / 2;
    };
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Whether there is a second level. */
  boolean exists() {
    return part != null;
  }

  /** The longest time for which a look-up waits for the second level. */
  long longestLookNanos() {
    return longestLookNanos;
  }

  /**
   * Looks up a load's keys, then runs the next step, on a thread for loads.
   *
   * @param givenUp runs in its place if no thread is free within the backend's time-out
   */
  void look(LoaderCall<K, V> load, Runnable then, Runnable givenUp) {
    Executor loads = task -> lanes.loads().execute(task, givenUp);
    CompletionStage<LevelLookUp<K, V>> look =
        load.again ? part.lookAgain(load.keys, young, loads) : part.look(load.keys, loads);
    look.thenAccept(
        said -> {
          load.below = said;
          then.run();
        });
  }

  /** Stores the values of a load, on a thread for loads. */
  void fill(LoaderCall<K, V> load, Map<K, V> found) {
    LevelLookUp<K, V> look = load.below;
    if (look != null && look.mayFill()) {
      lanes.loads().execute(() -> part.fill(look, found, load.failed.keySet()));
    }
  }

  /**
   * Removes keys; fails if other servers may still find them there.
   *
   * @param texts of the keys for other servers; null for a key without a text
   */
  CompletionStage<Void> forget(List<K> keys, List<String> texts) {
    return part == null ? NOTHING : part.forget(keys, texts);
  }

  /** Removes all keys; fails if other servers may still find some there. */
  CompletionStage<Void> forgetAll() {
    return part == null ? NOTHING : part.forgetAll();
  }

  LevelStats stats() {
    return part == null ? LevelStats.NONE : part.stats();
  }
}
