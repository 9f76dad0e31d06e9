/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.log.SparseLog;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreException;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * A share in a separate instance, reached over a socket.
 *
 * <p>Each operation has a time-out, and at most {@code maxOutstanding} are in progress. After three
 * failures in a row the instance counts as unreachable: every look-up is a miss at once, and {@link
 * InstanceSupervisor} retries with growing intervals. An instance that comes back, perhaps empty
 * and with another limit, gets the share's limit before it is used.
 *
 * <p>The instance belongs to this store alone ({@link StoreClaim}). Keys begin with a prefix that
 * is new each time a store opens, so entries of an earlier store, which may have been invalidated
 * since, are never found; they are evicted in time. An unconfirmed invalidation is remembered until
 * the instance confirms it ({@link Unconfirmed}).
 */
public final class RemoteStore<K, V> implements Store<K, V> {
  private final Link link;
  private final Coding<K, V> coding;
  private final InstanceSupervisor supervisor;
  private final InstanceNames names;
  private final Operations operations;
  private final LongAdder tooLarge = new LongAdder();
  private final LongAdder tooLargeForShare = new LongAdder();

  /**
   * Opens a store over a link, and takes ownership of the link. Returns after at most some seconds;
   * an unreachable instance is retried later.
   *
   * @throws IllegalArgumentException if the codec is missing, or this store must not use the
   *     instance
   */
  public static <K, V> Store<K, V> open(StoreSpec<K, V> spec, Link link, RemoteSettings settings) {
    return open(spec, link, settings, new FirstContacts());
  }

  /**
   * Opens a store in the same way.
   *
   * @param contacts of all stores of a factory: while one instance is missing, the next stores are
   *     opened without waiting for their instances
   */
  public static <K, V> Store<K, V> open(
      StoreSpec<K, V> spec, Link link, RemoteSettings settings, FirstContacts contacts) {
    if (spec.codec().isEmpty()) {
      link.close();
      throw new IllegalArgumentException(
          "backend " + spec.backend() + " needs a codec to be kept in a remote store");
    }
    RemoteStore<K, V> store = new RemoteStore<>(spec, link, settings, contacts);
    boolean open = false;
    try {
      store.supervisor.open();
      open = true;
      return store;
    } finally {
      if (!open) {
        store.close();
      }
    }
  }

  private RemoteStore(
      StoreSpec<K, V> spec, Link link, RemoteSettings settings, FirstContacts contacts) {
    this.link = link;
    supervisor =
        new InstanceSupervisor(spec.backend(), link, settings, contacts, wholePages(spec.bytes()));
    names = supervisor.names();
    operations = new Operations(settings, supervisor.reachability());
    SparseLog log = new SparseLog(RemoteStore.class);
    coding =
        new Coding<>(
            spec.codec().orElseThrow(),
            (what, why) -> {
              operations.failed();
              log.warn("the codec of backend " + spec.backend() + ' ' + what, why);
            });
  }

  private long wholePages(long bytes) {
    return Math.max(link.minimumBytes(), bytes - bytes % link.pageBytes());
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return getAll(keys, Runnable::run);
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
    String prefix = names.prefix();
    Map<String, K> wanted = new HashMap<>();
    for (K key : keys) {
      String text = coding.text(key);
      if (text != null && !names.isUnconfirmed(text)) {
        wanted.put(names.name(text), key);
      }
    }
    if (wanted.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    CompletableFuture<Map<K, V>> look =
        operations.send(
            () -> link.get(wanted.keySet()),
            (bytes, result) -> decodeOn(codecs, wanted, prefix, bytes, result));
    return look.exceptionally(failure -> Map.of());
  }

  private void decodeOn(
      Executor codecs,
      Map<String, K> wanted,
      String prefix,
      Map<String, byte[]> bytes,
      CompletableFuture<Map<K, V>> result) {
    if (bytes.isEmpty()) {
      result.complete(Map.of());
      return;
    }
    // Responses that wait for a thread longer than the time-out are not decoded, and release their
    // memory.
    AtomicReference<Map<String, byte[]>> encoded = new AtomicReference<>(bytes);
    CompletableFuture<?> unused = result.whenComplete((found, failure) -> encoded.set(null));
    codecs.execute(
        () -> {
          Map<String, byte[]> found = encoded.get();
          // The waiting query may continue before the memory is released.
          if (found != null && !result.isDone()) {
            // If the store has changed its prefix meanwhile, another run of the server may have
            // answered.
            result.complete(
                prefix.equals(names.prefix()) ? coding.decode(wanted, found) : Map.of());
          }
        });
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return putAll(entries, null);
  }

  /** Changes the prefix of all keys: existing entries are evicted in time. */
  @Override
  public CompletionStage<Void> clear() {
    names.beginAnew();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
    long largestEver = link.largestValueBytes();
    long largest = Math.min(largestEver, allocatedBytes() / 2);
    Map<String, byte[]> values = new HashMap<>();
    List<String> notKept = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      String text = coding.text(entry.getKey());
      if (text == null) {
        continue;
      }
      byte[] value = coding.encode(entry.getValue());
      if (value == null) {
        notKept.add(text);
      } else if (value.length > largest) {
        operations.failed();
        tooLarge.increment();
        if (value.length <= largestEver) {
          tooLargeForShare.increment();
        }
        notKept.add(text);
      } else {
        values.put(text, value);
        bytes += names.prefix().length() + text.length() + value.length;
      }
    }
    // An earlier value must not be found instead.
    dropTexts(notKept);
    return values.isEmpty() ? CompletableFuture.completedFuture(null) : send(values, bytes, expiry);
  }

  private CompletableFuture<Void> send(Map<String, byte[]> values, long bytes, Duration expiry) {
    DoubtfulPuts.Put put = names.begins(values.keySet());
    Map<String, byte[]> named = new HashMap<>();
    values.forEach((text, value) -> named.put(put.name(text), value));
    return operations
        .send(() -> send(put, named, expiry))
        .handle(
            (done, failure) -> {
              if (failure == null) {
                supervisor.put(bytes);
              } else if (Operations.isKnown(failure)) {
                names.settled(put);
              } else {
                names.givenUp(put);
              }
              return null;
            });
  }

  /** Sends a put; its fate may become known after it was given up. */
  private CompletionStage<?> send(
      DoubtfulPuts.Put put, Map<String, byte[]> named, Duration expiry) {
    long connection = link.connection();
    CompletionStage<?> stage;
    try {
      stage = link.put(named, expiry);
    } catch (Throwable e) {
      // Parts may have been sent.
      stage = CompletableFuture.failedFuture(e);
    }
    return stage.whenComplete(
        (done, failure) -> {
          if (failure == null || Operations.isKnown(failure)) {
            names.settled(put);
          } else {
            names.failed(put, connection);
          }
        });
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    List<String> texts = coding.storedTexts(keys);
    if (texts == null) {
      names.onUnknownText();
      return CompletableFuture.completedFuture(null);
    }
    if (texts.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return delete(texts);
  }

  /** Makes keys misses now, and deletes them at one of the next checks of the instance. */
  @Override
  public void drop(Collection<? extends K> keys) {
    dropTexts(coding.texts(keys));
  }

  private void dropTexts(List<String> texts) {
    if (!texts.isEmpty() && !operations.isClosed()) {
      names.drops(texts);
    }
  }

  private CompletableFuture<Void> delete(List<String> texts) {
    List<String> named = names.invalidates(texts);
    return operations
        .send(() -> link.delete(named))
        .handle(
            (done, failure) -> {
              if (failure != null && !operations.isClosed()) {
                supervisor.remember(texts);
              }
              return null;
            });
  }

  @Override
  public CompletionStage<Long> resize(long bytes) {
    if (operations.isClosed()) {
      return CompletableFuture.failedFuture(new StoreException("closed"));
    }
    if (bytes < minimumBytes()) {
      return CompletableFuture.failedFuture(
          new StoreException(bytes + " bytes; the smallest share is " + minimumBytes()));
    }
    return supervisor.resize(wholePages(bytes));
  }

  @Override
  public long allocatedBytes() {
    return supervisor.allocatedBytes();
  }

  @Override
  public long usedBytes() {
    return supervisor.usedBytes();
  }

  @Override
  public long overheadBytes() {
    return link.overheadBytes() + names.prefix().length();
  }

  @Override
  public long minimumBytes() {
    return link.minimumBytes();
  }

  @Override
  public long pageBytes() {
    return link.pageBytes();
  }

  @Override
  public boolean isDegraded() {
    return operations.isClosed() || supervisor.reachability().lost();
  }

  @Override
  public long failures() {
    return operations.failures();
  }

  @Override
  public long emptied() {
    return names.emptied();
  }

  @Override
  public long tooLarge() {
    return tooLarge.sum();
  }

  @Override
  public long withoutRoom() {
    return tooLargeForShare.sum() + supervisor.evicted();
  }

  @Override
  public void close() {
    operations.close();
    supervisor.close();
  }

  @Override
  public CompletionStage<Void> left() {
    return supervisor.left();
  }
}
