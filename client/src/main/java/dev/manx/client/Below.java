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
import java.util.function.Consumer;

/**
 * What is below one backend's store: its part of the second level, or nothing. Loads look there
 * before they ask the backend, and put there what the backend answers. Any thread.
 */
final class Below<K, V> {
  private static final CompletionStage<Void> NOTHING = CompletableFuture.completedFuture(null);
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

  private final LevelPart<K, V> part;
  private final HandOver.Lanes lanes;
  private final long refreshAtMostMillis;

  /**
   * @param access null: there is no second level
   * @param lanes whose threads for loads run its codecs
   * @param late receives keys that the second level has forgotten later than {@link #forget} said;
   *     none: all keys
   */
  Below(
      Access access,
      BackendSpec<K, V> spec,
      BackendSettings settings,
      HandOver.Lanes lanes,
      Consumer<List<K>> late) {
    this.lanes = lanes;
    // Another server has read it again lately; what is older this one reads again.
    refreshAtMostMillis = settings.freshness().refreshAfter().toMillis() / 2;
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

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Whether there is a second level. */
  boolean exists() {
    return part != null;
  }

  /** Looks for a load's keys, then runs what follows, on a thread for loads. */
  void look(Load<K, V> load, Runnable then) {
    long atMostMillis = load.again ? refreshAtMostMillis : Long.MAX_VALUE;
    CompletionStage<LevelLookUp<K, V>> look = part.look(load.keys, atMostMillis, lanes.loads());
    look.thenAccept(
        said -> {
          load.below = said;
          then.run();
        });
  }

  /** Puts what a load has read, on a thread for loads. */
  void fill(Load<K, V> load, Map<K, V> found) {
    LevelLookUp<K, V> look = load.below;
    if (look != null && look.mayFill()) {
      lanes.loads().execute(() -> part.fill(look, found));
    }
  }

  /** Forgets keys; fails if other servers may still find them there. */
  CompletionStage<Void> forget(Collection<? extends K> keys) {
    return part == null ? NOTHING : part.forget(keys);
  }

  /** Forgets all keys, likewise. */
  CompletionStage<Void> forgetAll() {
    return part == null ? NOTHING : part.forgetAll();
  }

  LevelStats stats() {
    return part == null ? LevelStats.NONE : part.stats();
  }
}
