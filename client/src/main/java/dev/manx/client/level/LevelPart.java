/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.store.Codec;
import dev.manx.client.store.remote.Texts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One backend's part of a second level. Any thread.
 *
 * <p>Every entry carries the backend's epoch, a random number under a key of its own, and counts
 * only while that is unchanged: to forget all keys is to delete that one. A load that finds no
 * value takes a lease before it reads the backend, and its value is put there only in the place of
 * that lease. So a value that was read before an invalidation cannot come after it.
 */
public final class LevelPart<K, V> {
  /** How long the values of a backend live. */
  @FunctionalInterface
  public interface Life<K, V> {
    /** Milliseconds from the begin of its load; 0 or less: it is not to be kept. May throw. */
    long millis(K key, V value);
  }

  private final Codec<K, V> codec;
  private final LongSupplier clockMillis;
  private final String prefix;
  private final Looking<K, V> looking;
  private final Filling<K, V> filling;
  private final Forgetting<K> forgetting;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /**
   * @param lease how long a load may take until its values are put
   * @param clockMillis time of day, as the other servers have it, more or less
   * @param late receives keys that were forgotten there only after {@link #forget} had failed;
   *     none: all keys
   */
  public LevelPart(
      Access access,
      String backend,
      Codec<K, V> codec,
      Life<K, V> life,
      Duration lease,
      LongSupplier clockMillis,
      Consumer<List<K>> late) {
    this.codec = codec;
    this.clockMillis = clockMillis;
    prefix = "manx:level:" + access.settings().application() + ":" + backend + ":";
    Commands commands = new Commands(access, failures);
    // A key's text is never empty, so no key has the prefix itself as its name.
    looking = new Looking<>(commands, codec, life, lease, clockMillis, prefix, failures);
    filling =
        new Filling<>(commands, codec, life, clockMillis, this::name, fills, refused, failures);
    forgetting = new Forgetting<>(access, prefix, this::name, late);
  }

  private String name(String text) {
    return prefix + text;
  }

  /**
   * Looks for keys, and takes leases for those that are not there.
   *
   * @param atMostMillis values older than this are as good as not there
   * @param executor on which the application's codec runs
   * @return never fails; completes on the executor, or at once if there is nothing to look for
   */
  public CompletionStage<LevelLookUp<K, V>> look(
      Collection<K> keys, long atMostMillis, Executor executor) {
    Map<String, K> wanted = wanted(keys);
    if (wanted.isEmpty()) {
      misses.add(keys.size());
      return CompletableFuture.completedFuture(LevelLookUp.none());
    }
    return looking
        .look(wanted, atMostMillis, executor)
        .handle(
            (look, failure) -> {
              LevelLookUp<K, V> known = failure == null ? look : LevelLookUp.none();
              failures.add(failure == null ? 0 : 1);
              hits.add(known.found().size());
              misses.add(keys.size() - known.found().size());
              known.begins(clockMillis.getAsLong());
              return known;
            });
  }

  /** Keys by name, without those that must not be looked for. */
  private Map<String, K> wanted(Collection<K> keys) {
    Map<String, K> wanted = new HashMap<>();
    if (forgetting.mayAsk()) {
      texts(keys)
          .forEach(
              (text, key) -> {
                if (forgetting.mayAsk(text)) {
                  wanted.put(name(text), key);
                }
              });
    }
    return wanted;
  }

  private Map<String, K> texts(Collection<? extends K> keys) {
    Map<String, K> texts = new HashMap<>();
    for (K key : keys) {
      String text = Texts.of(codec, key);
      if (text == null) {
        // It was never put there either.
        failures.increment();
      } else {
        texts.put(text, key);
      }
    }
    return texts;
  }

  /** Puts what a load has read after its look, as far as it may. Never fails. */
  public CompletionStage<Void> fill(LevelLookUp<K, V> look, Map<K, V> values) {
    return filling.fill(look, values);
  }

  /**
   * Forgets keys. From this call on this process does not look for them there, until it is
   * complete.
   *
   * @return fails if that is not confirmed yet, so that other servers may still find them; it is
   *     tried again until it is
   */
  public CompletionStage<Void> forget(Collection<? extends K> keys) {
    return forgetting.forget(texts(keys));
  }

  /** Forgets all keys, likewise. */
  public CompletionStage<Void> forgetAll() {
    return forgetting.forgetAll();
  }

  /** A snapshot of its counts. */
  public LevelStats stats() {
    return new LevelStats(
        hits.sum(),
        misses.sum(),
        fills.sum(),
        refused.sum(),
        failures.sum(),
        forgetting.unconfirmed());
  }
}
