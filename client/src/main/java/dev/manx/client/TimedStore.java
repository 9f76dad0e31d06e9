/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Sizer;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A store whose entries age. It presents plain values, stores them with their times, and reports
 * the keys that are due for a refresh.
 */
class TimedStore<K, V> implements Store<K, V> {
  /** Used for no expiry; {@code toNanos()} would overflow. */
  private static final Duration LONGEST = Duration.ofDays(100 * 365);

  /** Maximum number of a remote store's keys whose refresh is remembered. */
  private static final int MOST_ASKED_FOR = 10_000;

  private final Store<K, Timed<V>> inner;
  private final Store<K, Timed<V>> unasked;
  private final Times<K, V> times;
  private final AskedFor<K> askedFor;

  /** When entries expire, and the receivers of due keys and of failures. */
  record Times<K, V>(
      Freshness freshness,
      Optional<Expiry<K, V>> expiry,
      NanoClock clock,
      long againNanos,
      Consumer<K> due,
      Consumer<Throwable> notKept) {}

  TimedStore(Store<K, Timed<V>> inner, Times<K, V> times) {
    this.inner = inner;
    this.unasked = MeasuredStore.unasked(inner);
    this.times = times;
    this.askedFor = new AskedFor<>(times.againNanos, MOST_ASKED_FOR);
  }

  /**
   * Adds times to the entries of a store.
   *
   * @throws IllegalArgumentException if the store cannot do what is requested
   */
  static <K, V> TimedStore<K, V> over(Store<K, Timed<V>> inner, Times<K, V> times) {
    if (inner instanceof LocalStore<K, Timed<V>> local) {
      return new LocalTimedStore<>(local, times);
    }
    if (!times.freshness.idleTime().isZero()) {
      throw new IllegalArgumentException("idle-time needs a store in this process");
    }
    return new TimedStore<>(inner, times);
  }

  /** The specification for the underlying store. */
  static <K, V> StoreSpec<K, Timed<V>> spec(StoreSpec<K, V> plain) {
    Sizer<K, V> sizer = plain.sizer();
    return new StoreSpec<>(
        plain.backend(),
        plain.bytes(),
        (key, timed) -> sizer.bytes(key, timed.value, Timed.BYTES),
        plain.codec().map(TimedCodec::new));
  }

  final long againNanos() {
    return times.againNanos;
  }

  /** The underlying store. */
  final Store<K, Timed<V>> inner() {
    return inner;
  }

  /** Whether an expired entry may be answered while the backend fails. */
  final boolean answersExpired() {
    return !times.freshness.staleIfError().isZero();
  }

  final long nanoTime() {
    return times.clock.nanoTime();
  }

  /**
   * The value with its times; null if it must not be stored.
   *
   * @param since when its times begin
   */
  final Timed<V> timed(K key, V value, long since) {
    Freshness fresh = times.freshness;
    Duration own = times.expiry.map(e -> e.timeToLive(key, value)).orElse(null);
    if (own != null && (own.isZero() || own.isNegative())) {
      return null;
    }
    boolean forever = own != null && own.compareTo(LONGEST) >= 0;
    long live = own == null ? fresh.timeToLive().toNanos() : forever ? 0 : own.toNanos();
    long soft = own == null ? fresh.refreshAfter().toNanos() : fresh.refreshNanos(live);
    double part = 1 - fresh.jitter() * ThreadLocalRandom.current().nextDouble();
    long hard = live == 0 ? Timed.NEVER : since + (long) (live * part);
    long gone = hard == Timed.NEVER ? hard : hard + fresh.staleIfError().toNanos();
    long now = nanoTime();
    return Timed.isPast(gone, now)
        ? null
        : new Timed<>(
            value, hard, gone, soft == 0 ? Timed.NEVER : since + (long) (soft * part), now);
  }

  /** An entry's value, unless it has expired. */
  final V fresh(K key, Timed<V> timed) {
    long now = times.clock.nanoTime();
    V value = unexpired(timed, now);
    if (value != null && timed.isDue(now) && claimRefresh(key, timed, now)) {
      times.due.accept(key);
    }
    return value;
  }

  private V unexpired(Timed<V> timed, long now) {
    long idle = times.freshness.idleTime().toNanos();
    if (timed.isExpired(now, idle)) {
      return null;
    }
    if (idle > 0) {
      timed.used(now);
    }
    return timed.value;
  }

  /** Whether the caller should have a due entry refreshed. */
  boolean claimRefresh(K key, Timed<V> timed, long now) {
    return askedFor.claim(key, timed.softNanos(), now);
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return getAll(keys, Runnable::run);
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
    return MeasuredStore.getAll(inner, keys, codecs, this::fresh);
  }

  /** The stored values; starts no refresh, and is not measured. */
  final CompletionStage<Map<K, V>> look(Collection<? extends K> keys, Executor codecs) {
    long now = times.clock.nanoTime();
    return MeasuredStore.unmeasured(inner)
        .getAll(keys, codecs)
        .thenApply(found -> values(found, (key, timed) -> unexpired(timed, now)));
  }

  private static <K, V> Map<K, V> values(
      Map<K, Timed<V>> found, BiFunction<K, Timed<V>, V> valueOf) {
    Map<K, V> values = new HashMap<>();
    found.forEach(
        (key, timed) -> {
          V value = valueOf.apply(key, timed);
          if (value != null) {
            values.put(key, value);
          }
        });
    return values;
  }

  /** Values to answer while the backend fails, including expired ones. */
  final CompletionStage<Map<K, V>> stale(Collection<? extends K> keys, Executor codecs) {
    long now = nanoTime();
    // The query was measured when it looked for a value that has not expired.
    return MeasuredStore.unmeasured(inner)
        .getAll(keys, codecs)
        .thenApply(
            found -> values(found, (key, timed) -> mayAnswer(timed, now) ? timed.value : null));
  }

  private boolean mayAnswer(Timed<V> timed, long now) {
    Freshness fresh = times.freshness;
    boolean unused =
        !fresh.idleTime().isZero()
            && timed.isUnused(now, fresh.idleTime().plus(fresh.staleIfError()).toNanos());
    return !unused && !Timed.isPast(timed.goneNanos, now);
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return putAll(entries, nanoTime(), true);
  }

  /**
   * Stores values.
   *
   * @param since when their times begin
   * @param asked whether a query waits for them
   */
  final CompletionStage<Void> putAll(
      Map<? extends K, ? extends V> entries, long since, boolean asked) {
    Map<K, Timed<V>> all = new HashMap<>();
    List<K> notKept = new ArrayList<>();
    long now = nanoTime();
    long longest = 0;
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      Timed<V> timed = kept(entry.getKey(), entry.getValue(), since);
      if (timed == null) {
        notKept.add(entry.getKey());
      } else {
        all.put(entry.getKey(), timed);
        longest =
            timed.goneNanos == Timed.NEVER ? Timed.NEVER : Math.max(longest, timed.goneNanos - now);
      }
    }
    // The times in the entries are exact; the store's own expiry only frees space.
    if (!notKept.isEmpty()) {
      inner.drop(notKept);
    }
    Store<K, Timed<V>> into = asked ? inner : unasked;
    return longest == Timed.NEVER || all.isEmpty()
        ? into.putAll(all)
        : into.putAll(all, Duration.ofNanos(Math.max(1, longest)));
  }

  private Timed<V> kept(K key, V value, long since) {
    try {
      return timed(key, value, since);
    } catch (Throwable e) {
      // The application's expiry failed; the others of the batch are stored.
      times.notKept.accept(e);
      return null;
    }
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    return inner.invalidateAll(keys);
  }

  @Override
  public final void drop(Collection<? extends K> keys) {
    inner.drop(keys);
  }

  @Override
  public final CompletionStage<Void> clear() {
    return inner.clear();
  }

  @Override
  public final CompletionStage<Long> resize(long bytes) {
    return inner.resize(bytes);
  }

  @Override
  public final long allocatedBytes() {
    return inner.allocatedBytes();
  }

  @Override
  public final long usedBytes() {
    return inner.usedBytes();
  }

  @Override
  public final long overheadBytes() {
    return inner.overheadBytes();
  }

  @Override
  public final long minimumBytes() {
    return inner.minimumBytes();
  }

  @Override
  public final long pageBytes() {
    return inner.pageBytes();
  }

  @Override
  public final boolean isDegraded() {
    return inner.isDegraded();
  }

  @Override
  public final long failures() {
    return inner.failures();
  }

  @Override
  public final long emptied() {
    return inner.emptied();
  }

  @Override
  public final long tooLarge() {
    return inner.tooLarge();
  }

  @Override
  public final long withoutRoom() {
    return inner.withoutRoom();
  }

  @Override
  public final void close() {
    inner.close();
  }

  @Override
  public final CompletionStage<Void> left() {
    return inner.left();
  }
}
