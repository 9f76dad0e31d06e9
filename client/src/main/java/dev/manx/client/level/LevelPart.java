/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Texts;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One backend's part of a second level. Thread-safe.
 *
 * <p>Every entry carries the backend's epoch, a random number stored under its own key, and is
 * valid only while that is unchanged: deleting it invalidates all keys. A load that finds no value
 * takes a lease before it reads the backend, and its value may only replace that lease. So a value
 * read before an invalidation cannot be stored after it.
 */
public final class LevelPart<K, V> {
  /** The time to live of a backend's values. */
  @FunctionalInterface
  public interface Life<K, V> {
    /** Milliseconds from the start of its load; 0 or less: not stored. May throw. */
    long millis(K key, V value);
  }

  private final Codec<K, V> codec;
  private final LongSupplier clockMillis;
  private final String prefix;
  private final LevelLookUps<K, V> lookUps;
  private final Filling<K, V> filling;
  private final Forgetting forgetting;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder tooLarge = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final EntryFailures entryFailures;

  /**
   * @param lease maximum time from a look-up until the values are stored
   * @param clockMillis time of day, roughly equal on all servers
   * @param late receives the labels of keys that were removed only after {@link #forget} had
   *     failed; empty: all keys. Called on threads of the network: must not block
   */
  public LevelPart(
      Access access,
      String backend,
      Codec<K, V> codec,
      Life<K, V> life,
      Duration lease,
      LongSupplier clockMillis,
      Consumer<List<String>> late) {
    this.codec = codec;
    this.clockMillis = clockMillis;
    prefix = "manx:level:" + access.settings().application() + ":" + backend + ":";
    entryFailures = new EntryFailures(backend, failures);
    Commands commands = new Commands(access, failures);
    // A key's text is never empty, so no key has the prefix itself as its name.
    lookUps = new LevelLookUps<>(commands, codec, life, lease, clockMillis, prefix, entryFailures);
    filling =
        new Filling<>(
            commands,
            codec,
            life,
            access.settings().largestValueBytes(),
            clockMillis,
            this::name,
            fills,
            refused,
            tooLarge,
            entryFailures);
    forgetting = new Forgetting(access, prefix, this::name, late);
  }

  private String name(String text) {
    return prefix + text;
  }

  /**
   * Looks up keys, and takes leases for missing ones.
   *
   * @param executor runs the application's codec
   * @return never fails; completes on the executor, or at once without keys to look up
   */
  public CompletionStage<LevelLookUp<K, V>> look(Collection<K> keys, Executor executor) {
    return lookAgain(keys, (key, value) -> Long.MAX_VALUE, executor)
        .thenApply(
            look -> {
              hits.add(look.found().size());
              misses.add(keys.size() - look.found().size());
              return look;
            });
  }

  /**
   * Looks up keys that are to be refreshed, in the same way; counts neither hits nor misses.
   *
   * @param atMost age in milliseconds; older values count as missing
   */
  public CompletionStage<LevelLookUp<K, V>> lookAgain(
      Collection<K> keys, Life<K, V> atMost, Executor executor) {
    Map<String, K> wanted = wanted(keys);
    if (wanted.isEmpty()) {
      return CompletableFuture.completedFuture(LevelLookUp.none());
    }
    return lookUps
        .look(wanted, atMost, executor)
        .handle(
            (look, failure) -> {
              LevelLookUp<K, V> known = failure == null ? look : LevelLookUp.none();
              failures.add(failure == null ? 0 : 1);
              known.begins(clockMillis.getAsLong());
              return known;
            });
  }

  /** Keys by name, except keys that must not be looked up. */
  private Map<String, K> wanted(Collection<K> keys) {
    Map<String, K> wanted = new HashMap<>();
    if (forgetting.mayAsk()) {
      for (K key : keys) {
        String text = text(key);
        if (text != null && forgetting.mayAsk(text)) {
          wanted.put(name(text), key);
        }
      }
    }
    return wanted;
  }

  /** The text of a key; null if it has none, or if its codec throws. */
  private String text(K key) {
    return Texts.of(codec, key, entryFailures::key);
  }

  /** Stores the values loaded after a look-up, as far as permitted. Never fails. */
  public CompletionStage<Void> fill(LevelLookUp<K, V> look, Map<K, V> values) {
    return fill(look, values, Set.of());
  }

  /**
   * Stores values in the same way.
   *
   * @param failed keys that may exist nevertheless
   */
  public CompletionStage<Void> fill(LevelLookUp<K, V> look, Map<K, V> values, Set<K> failed) {
    return filling.fill(look, values, failed);
  }

  /**
   * Invalidates keys. From this call until completion this process does not look them up there.
   *
   * @return fails if not yet confirmed, so that other servers may still find the keys; retried
   *     until confirmed
   */
  public CompletionStage<Void> forget(Collection<? extends K> keys) {
    List<K> all = List.copyOf(keys);
    return forget(all, Collections.nCopies(all.size(), null));
  }

  /**
   * Invalidates keys in the same way.
   *
   * @param labels of the keys in the same order, each may be null: passed on if the confirmation is
   *     late. If the codec throws for a key, which may have been stored nevertheless, all keys are
   *     invalidated
   */
  public CompletionStage<Void> forget(List<? extends K> keys, List<String> labels) {
    Map<String, String> byText = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      String text;
      try {
        text = Texts.accepted(codec, keys.get(i));
      } catch (Throwable e) {
        entryFailures.key(e);
        return forgetting.forgetUnknown();
      }
      if (text == null) {
        // Such a key is never stored there.
        entryFailures.key(null);
      } else {
        byText.put(text, labels.get(i));
      }
    }
    return forgetting.forget(byText);
  }

  /** Invalidates all keys in the same way. */
  public CompletionStage<Void> forgetAll() {
    return forgetting.forgetAll();
  }

  /** A snapshot of the counters. */
  public LevelStats stats() {
    return new LevelStats(
        hits.sum(),
        misses.sum(),
        fills.sum(),
        refused.sum(),
        tooLarge.sum(),
        failures.sum(),
        forgetting.unconfirmed());
  }
}
