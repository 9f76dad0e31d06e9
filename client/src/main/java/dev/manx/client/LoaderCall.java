/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.LevelLookUp;
import dev.manx.client.timer.Alarm;
import dev.manx.client.tracing.LoadEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;

/**
 * One call of a backend's loader, for which any number of queries wait. Only its first end counts:
 * an answer, a failure or the time-out. Filled by one thread, then shared.
 */
final class LoaderCall<K, V> {
  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<LoaderCall> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(LoaderCall.class, "ended");

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<LoaderCall, BackendBreaker.Permit> PERMIT =
      AtomicReferenceFieldUpdater.newUpdater(
          LoaderCall.class, BackendBreaker.Permit.class, "permit");

  /** Keys that this load requests from the backend. */
  final List<K> keys;

  /** Values that appeared in the store while the keys were claimed. */
  private Map<K, V> already = Map.of();

  /** Whether its values are to be cached. */
  final boolean cached;

  /** Expired values to answer with if the load fails; set before it has failed. */
  volatile Map<K, V> stale = Map.of();

  /** Keys that failed, though others may have been answered; set before it ends. */
  volatile Map<K, Throwable> failed = Map.of();

  /** The loader's answer; null until the loader has returned it. */
  volatile CompletionStage<? extends Map<K, V>> stage;

  /** Whether it refreshes cached keys. */
  final boolean again;

  /** The second level's result for its keys; set before the loader is called. */
  volatile LevelLookUp<K, V> below;

  /** The query that it loads for, if that query has a context; null for a refresh. */
  final QueryContext by;

  /** The context in which its loader is called; set before the load begins; null: none. */
  volatile LoadContext context;

  /** The token of the load after it has timed out; null before, and if the load is not cached. */
  volatile LateLoads.Token late;

  /** Whether no answer can come after its time-out. */
  volatile boolean over;

  /**
   * For a refresh of a remote store's keys: whether a query has joined it. Set before {@link
   * #released} is read, and read after that is set.
   */
  volatile boolean joined;

  /** Whether it has released all keys, even one whose hashCode failed at the release. */
  volatile boolean released;

  private final CompletableFuture<Map<K, V>> answer = new CompletableFuture<>();

  // Updated in place: every miss creates a load.
  private volatile int ended;
  private volatile BackendBreaker.Permit permit;
  private volatile Alarm timer;

  // Written before the load fails.
  private volatile boolean tooLate;

  // Time of the loader's call; written before the flag that says it was called.
  private long begunNanos;
  private volatile boolean begun;
  // Written before the load fails.
  private volatile boolean rejected;

  /**
   * Creates a load for a query.
   *
   * @param mostKeys maximum number of keys, as far as known
   * @param by null: the query has no context
   */
  LoaderCall(boolean cached, int mostKeys, QueryContext by) {
    this(cached, false, mostKeys, by);
  }

  private LoaderCall(boolean cached, boolean again, int mostKeys, QueryContext by) {
    keys = new ArrayList<>(mostKeys);
    this.cached = cached;
    this.again = again;
    this.by = by;
  }

  /** Creates a load that refreshes cached keys. */
  static <K, V> LoaderCall<K, V> again(int mostKeys) {
    return new LoaderCall<>(true, true, mostKeys, null);
  }

  /**
   * Marks that its loader is about to be called.
   *
   * @param nowNanos of the cache's clock
   */
  void begins(long nowNanos) {
    begunNanos = nowNanos;
    begun = true;
  }

  /** Whether its loader was called. */
  boolean hasBegun() {
    return begun;
  }

  /** Time of the loader's call, by the cache's clock; 0 before. */
  long begunNanos() {
    return begun ? begunNanos : 0;
  }

  /** Marks that its loader could not begin: the queue in which it would wait is full. */
  void markRejected() {
    rejected = true;
  }

  /** Whether its loader could not begin. */
  boolean isRejected() {
    return rejected;
  }

  /** Marks that it fails after the backend has had time to answer. */
  void markTooLate() {
    tooLate = true;
  }

  /** Whether it has failed after the backend has had time to answer. */
  boolean isLate() {
    return tooLate;
  }

  /** Adds a value that appeared in the store. */
  void already(K key, V value) {
    if (already.isEmpty()) {
      already = new HashMap<>();
    }
    already.put(key, value);
  }

  /** The values that appeared in the store. */
  Map<K, V> already() {
    return already;
  }

  /** Whether it has no keys to answer. */
  boolean isEmpty() {
    return keys.isEmpty() && already.isEmpty();
  }

  /** Reports its first end to its trace. */
  void notifyEnd(LoadEnd.Outcome outcome, Map<K, V> found, Throwable failure) {
    LoadContext here = context;
    if (here != null) {
      // Reads keys, whose hashCode may fail.
      here.ended(() -> end(outcome, found, failure));
    }
  }

  private LoadEnd end(LoadEnd.Outcome outcome, Map<K, V> found, Throwable failure) {
    int there = keys.size() - asked().size();
    int values = found == null ? there : found.size() - already.size();
    return new LoadEnd(outcome, keys.size(), values, there, failure);
  }

  /** The keys that the second level did not have. */
  List<K> asked() {
    LevelLookUp<K, V> look = below;
    return look == null || look.found().isEmpty()
        ? keys
        : keys.stream().filter(key -> !look.found().containsKey(key)).toList();
  }

  /** The second level's value for a key, or null. */
  V below(K key) {
    LevelLookUp<K, V> look = below;
    LevelLookUp.Found<V> found = look == null ? null : look.found().get(key);
    return found == null ? null : found.value();
  }

  /** A value found before the loader was called, here or in the second level; else null. */
  V found(K key) {
    V here = already.get(key);
    return here == null ? below(key) : here;
  }

  /**
   * How many of these keys were found before the loader was called; all of them if it was not
   * called.
   */
  int countFound(List<K> some) {
    if (!begun) {
      return some.size();
    }
    LevelLookUp<K, V> look = below;
    if (already.isEmpty() && (look == null || look.found().isEmpty())) {
      return 0;
    }
    return (int) some.stream().filter(key -> found(key) != null).count();
  }

  /**
   * The failure of a key of a failed load.
   *
   * @param whole the load's own failure
   */
  Throwable failure(K key, Throwable whole) {
    return failed.getOrDefault(key, whole);
  }

  /** The failure of the first of these failed keys that has no expired value. */
  Throwable firstFailure(List<K> some) {
    return some.stream()
        .filter(key -> !stale.containsKey(key))
        .map(failed::get)
        .findFirst()
        .orElseThrow();
  }

  /** A failure without the exception in which a stage has wrapped it. */
  static Throwable bare(Throwable failure) {
    boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
    return wrapped ? failure.getCause() : failure;
  }

  /** Sets the breaker's permit. */
  void permit(BackendBreaker.Permit said) {
    permit = said;
  }

  /** Whether this load has a permit that was not yet returned. */
  boolean isPermitted() {
    BackendBreaker.Permit now = permit;
    return now != null && now != BackendBreaker.Permit.NO;
  }

  /**
   * Returns the permit to the first caller, which reports the end to the breaker; null to all
   * others.
   */
  BackendBreaker.Permit takePermit() {
    return permit == null ? null : PERMIT.getAndSet(this, null);
  }

  /** Whether this load has ended. */
  boolean hasEnded() {
    return ended != 0;
  }

  /** Calls back once, with the values or the failure; at once if already known. */
  void whenAnswered(BiConsumer<? super Map<K, V>, ? super Throwable> then) {
    CompletableFuture<?> unused = answer.whenComplete(then);
  }

  /** Completes the load with values, for the waiting queries. */
  void answered(Map<K, V> found) {
    answer.complete(found);
  }

  /** Fails the load, for the waiting queries. */
  void failed(Throwable failure) {
    answer.completeExceptionally(failure);
  }

  /** Whether the caller is the first to end it and so must notify the waiting queries. */
  boolean end() {
    boolean first = ENDED.compareAndSet(this, 0, 1);
    Alarm running = timer;
    if (first && running != null) {
      running.cancel();
    }
    return first;
  }

  /**
   * Sets the timer of its time-out, in place of an earlier one; cancels the timer if the load has
   * already ended.
   */
  void endsBy(Alarm newTimer) {
    Alarm earlier = timer;
    timer = newTimer;
    if (earlier != null) {
      earlier.cancel();
    }
    if (ended != 0) {
      newTimer.cancel();
    }
  }
}
