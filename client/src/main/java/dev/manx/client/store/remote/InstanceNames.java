/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.log.SparseLog;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The names of a store's keys at its instance: a key gets another name, or all keys another prefix,
 * when a value under the old one must not be found any more. Thread-safe; {@link
 * #deleteOutstanding} is for the supervisor's thread.
 */
final class InstanceNames {
  // A library that deletes keys one by one must finish within the time-out.
  private static final int DELETED_AT_ONCE = 50;

  private final String backend;
  private final Link link;
  private final RemoteSettings settings;
  private final Unconfirmed unconfirmed = new Unconfirmed();
  private final DoubtfulPuts puts = new DoubtfulPuts(freshPrefix());
  private final SparseLog emptiedLog = new SparseLog(InstanceNames.class);
  private final LongAdder emptied = new LongAdder();

  InstanceNames(String backend, Link link, RemoteSettings settings) {
    this.backend = backend;
    this.link = link;
    this.settings = settings;
  }

  /** The prefix of this store's keys; changes when the store is emptied by renaming. */
  String prefix() {
    return puts.prefix();
  }

  /** Changes the prefix, so that no earlier put is found. */
  synchronized void beginAnew() {
    puts.beginAnew(freshPrefix());
    unconfirmed.beganAnew();
  }

  /** The name of a key at the instance. */
  String name(String key) {
    return puts.name(key);
  }

  /** A put of keys is about to be sent; it must be given up or settled in every case. */
  DoubtfulPuts.Put begins(Collection<String> keys) {
    DoubtfulPuts.Put put = puts.begin(keys);
    boundPuts();
    return put;
  }

  /** A put can have no further effect. */
  void settled(DoubtfulPuts.Put put) {
    puts.settle(put);
  }

  /** A put was given up, and its fate may still become known. */
  void givenUp(DoubtfulPuts.Put put) {
    puts.giveUp(put);
    boundPuts();
  }

  /**
   * A put has ended with a failure that leaves its fate open.
   *
   * @param connection the link's number of the connection that it was sent on
   */
  void failed(DoubtfulPuts.Put put, long connection) {
    puts.fail(put, connection == link.connection() ? connection : -1);
    boundPuts();
  }

  /**
   * Keys are about to be deleted: later arrivals of open puts are not found.
   *
   * @return the names to be deleted
   */
  List<String> invalidates(Collection<String> keys) {
    List<String> names = puts.invalidate(keys);
    boundPuts();
    return names;
  }

  private void boundPuts() {
    if (puts.tooMany()) {
      // Only one of several threads that notice this empties the store.
      empty(
          puts::tooMany,
          "for more than "
              + DoubtfulPuts.MOST
              + " keys it is unknown whether values sent to the instance will still arrive");
    }
  }

  /** Called if the instance has lost its content; late puts may still arrive. */
  void onOtherRun() {
    empty(() -> true, "its server came back as another run");
  }

  /** Called if the text under which an invalidated key is stored is unknown. */
  void onUnknownText() {
    empty(() -> true, "its codec threw for a key that was invalidated");
  }

  private void empty(BooleanSupplier condition, String why) {
    synchronized (this) {
      if (!condition.getAsBoolean()) {
        return;
      }
      beginAnew();
    }
    emptied.increment();
    emptiedLog.warn("the store of backend " + backend + " is emptied: " + why, null);
  }

  /** How often the store was emptied without a request. */
  long emptied() {
    return emptied.sum();
  }

  private static String freshPrefix() {
    return "manx:" + UUID.randomUUID().toString().substring(0, 8) + ":";
  }

  /** Makes keys misses until the instance has confirmed their deletion. */
  void unconfirmed(Collection<String> keys) {
    unconfirmed.add(keys);
  }

  /** Makes keys misses until a later check has deleted them, as far as there is room. */
  void drops(Collection<String> keys) {
    unconfirmed.drop(keys);
  }

  boolean isUnconfirmed(String key) {
    return unconfirmed.contains(key);
  }

  /** Puts that were given up so far, before the next contact. */
  DoubtfulPuts.GivenUp givenUp() {
    return puts.givenUp();
  }

  /**
   * The instance has answered on the connection of earlier puts: they can have no further effect.
   */
  void settle(DoubtfulPuts.GivenUp givenUp) {
    if (link.connection() == givenUp.connection()) {
      puts.settle(givenUp);
    }
  }

  /**
   * Repeats deletions that are not confirmed, and those of renamed keys.
   *
   * @throws IOException if the instance does not confirm them
   */
  void deleteOutstanding() throws IOException, InterruptedException {
    confirm();
    givePlainNames();
  }

  /** Repeats unconfirmed deletions, or changes the prefix. */
  private void confirm() throws IOException, InterruptedException {
    if (unconfirmed.isEmpty()) {
      return;
    }
    if (unconfirmed.isAll()) {
      // Entries under the old prefix are evicted in time, since they are never looked up.
      empty(
          unconfirmed::isAll,
          "more than " + Unconfirmed.MOST + " invalidated keys were not confirmed by the instance");
      return;
    }
    Map<String, Long> some = unconfirmed.some();
    delete(List.copyOf(some.keySet()), this::name, part -> unconfirmed.confirmed(part, some));
  }

  /** Bounds the number of renamed keys. */
  private void givePlainNames() throws IOException, InterruptedException {
    DoubtfulPuts.Plain plain = puts.plain();
    delete(plain.keys(), plain::name, part -> puts.deleted(plain, part));
  }

  /**
   * Deletes keys, part by part.
   *
   * @param confirmed receives the keys of each part
   */
  private void delete(
      List<String> keys, UnaryOperator<String> name, Consumer<List<String>> confirmed)
      throws IOException, InterruptedException {
    try {
      for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
        List<String> part = keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE));
        link.delete(part.stream().map(name).toList())
            .toCompletableFuture()
            .get(2 * settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
        confirmed.accept(part);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("invalidations are not confirmed", e);
    }
  }
}
