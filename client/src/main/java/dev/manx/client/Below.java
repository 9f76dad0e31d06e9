/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.Access;
import dev.manx.client.level.LevelLookUp;
import dev.manx.client.level.LevelPart;
import dev.manx.client.level.LevelStats;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The part of the second level that belongs to one backend, or none. Loads look there before they
 * ask the backend, and store the backend's answers there. Thread-safe.
 */
final class Below<K, V> {
  private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

  private final LevelPart<K, V> part;
  private final HandOver.Lanes lanes;
  private final LevelPart.Life<K, V> young;

  /**
   * @param access null: there is no second level
   * @param lanes threads for loads, which run its codecs
   * @param late receives keys that the second level has removed later than {@link #forget}
   *     reported; empty: all keys
   */
  Below(
      Access access,
      BackendSpec<K, V> spec,
      BackendSettings settings,
      HandOver.Lanes lanes,
      Consumer<List<K>> late) {
    this.lanes = lanes;
    young = access == null ? null : young(settings.freshness(), spec.expiry(), access);
    part =
        access == null
            ? null
            : new LevelPart<>(
                access,
                spec.name(),
                spec.codec().orElseThrow(),
                life(settings.freshness(), spec.expiry(), access.settings().timeToLive()),
                settings.timeOut().plus(LEASE_MARGIN),
                System::currentTimeMillis,
                keys -> lanes.done().execute(() -> late.accept(keys)));
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
   * The age up to which a refresh takes a value: half of the time after which it is refreshed. An
   * older one may be the value that is to be refreshed.
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

  /** Looks up a load's keys, then runs the next step, on a thread for loads. */
  void look(LoaderCall<K, V> load, Runnable then) {
    CompletionStage<LevelLookUp<K, V>> look =
        part.look(load.keys, load.again ? young : LevelPart.anyAge(), lanes.loads());
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

  /** Removes keys; fails if other servers may still find them there. */
  CompletionStage<Void> forget(Collection<? extends K> keys) {
    return part == null ? NOTHING : part.forget(keys);
  }

  /** Removes all keys; fails if other servers may still find some there. */
  CompletionStage<Void> forgetAll() {
    return part == null ? NOTHING : part.forgetAll();
  }

  LevelStats stats() {
    return part == null ? LevelStats.NONE : part.stats();
  }
}
