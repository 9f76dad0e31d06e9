/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.store.Codec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** Looks up the values of one backend, and takes leases for missing ones. Thread-safe. */
final class LevelLookUps<K, V> {
  private final Commands commands;
  private final Codec<K, V> codec;
  private final LevelPart.Life<K, V> life;
  private final Duration lease;
  private final LongSupplier clockMillis;
  private final String epochName;
  private final EntryFailures failures;

  /**
   * @param lease maximum time from a look-up until the values are stored
   * @param epochName name of the backend's epoch
   */
  LevelLookUps(
      Commands commands,
      Codec<K, V> codec,
      LevelPart.Life<K, V> life,
      Duration lease,
      LongSupplier clockMillis,
      String epochName,
      EntryFailures failures) {
    this.commands = commands;
    this.codec = codec;
    this.life = life;
    this.lease = lease;
    this.clockMillis = clockMillis;
    this.epochName = epochName;
    this.failures = failures;
  }

  /**
   * Looks up keys.
   *
   * @param wanted keys by name, at least one
   * @param atMost age in milliseconds; older values count as missing
   */
  CompletionStage<LevelLookUp<K, V>> look(
      Map<String, K> wanted, LevelPart.Life<K, V> atMost, Executor executor) {
    Set<String> names = new HashSet<>(wanted.keySet());
    names.add(epochName);
    // The values of the servers that have answered in time.
    Map<String, byte[]> there = new ConcurrentHashMap<>();
    Set<String> absent = ConcurrentHashMap.newKeySet();
    return commands
        .send(
            names,
            (link, some) ->
                link.get(some)
                    .thenAccept(
                        found -> {
                          there.putAll(found);
                          some.stream().filter(n -> !found.containsKey(n)).forEach(absent::add);
                        }))
        .thenApplyAsync(done -> read(wanted, Map.copyOf(there), absent, atMost), executor)
        .thenCompose(look -> leased(look, wanted, absent, executor));
  }

  private LevelLookUp<K, V> read(
      Map<String, K> wanted,
      Map<String, byte[]> there,
      Set<String> absent,
      LevelPart.Life<K, V> atMost) {
    byte[] epoch = there.get(epochName);
    if (epoch == null || epoch.length != Entry.EPOCH_BYTES) {
      if (absent.contains(epochName)) {
        beginEpoch();
      }
      return LevelLookUp.none();
    }
    LevelLookUp<K, V> look = new LevelLookUp<>(epoch);
    wanted.forEach(
        (name, key) -> {
          Entry entry = there.containsKey(name) ? Entry.read(there.get(name)) : null;
          if (entry != null) {
            read(key, entry, look, atMost);
          }
        });
    return look;
  }

  private void read(K key, Entry entry, LevelLookUp<K, V> look, LevelPart.Life<K, V> atMost) {
    boolean counts = entry.isOf(look.epoch());
    if (counts && entry.isLease()) {
      // Another load is about to store the value.
      return;
    }
    long age = Math.max(0, clockMillis.getAsLong() - entry.millis());
    if (counts) {
      try {
        V value = codec.decode(key, entry.bytes());
        if (value != null && age < life.millis(key, value) && age < atMost.millis(key, value)) {
          look.add(key, new LevelLookUp.Found<>(value, age));
          return;
        }
      } catch (Throwable e) {
        failures.read(e);
      }
    }
    look.addOld(key, entry.head());
  }

  /**
   * Creates an epoch for later look-ups. Without it, this look-up's fills could not be
   * distinguished from invalidated entries.
   */
  private void beginEpoch() {
    byte[] epoch = new byte[Entry.EPOCH_BYTES];
    ThreadLocalRandom.current().nextBytes(epoch);
    var unused =
        commands.send(List.of(epochName), (link, names) -> link.add(epochName, epoch, null));
  }

  private CompletionStage<LevelLookUp<K, V>> leased(
      LevelLookUp<K, V> look, Map<String, K> wanted, Set<String> absent, Executor executor) {
    List<String> free = absent.stream().filter(wanted::containsKey).toList();
    if (look.epoch() == null || free.isEmpty()) {
      return CompletableFuture.completedFuture(look);
    }
    Map<String, byte[]> granted = new ConcurrentHashMap<>();
    return commands
        .send(
            free,
            (link, names) ->
                Commands.each(
                    names,
                    name -> {
                      byte[] head =
                          Entry.lease(look.epoch(), ThreadLocalRandom.current().nextLong());
                      return link.add(name, head, lease)
                          .thenAccept(
                              mine -> {
                                if (mine) {
                                  granted.put(name, head);
                                }
                              });
                    }))
        .thenApplyAsync(
            done -> {
              granted.forEach((name, head) -> look.addLease(wanted.get(name), head));
              return look;
            },
            executor);
  }
}
