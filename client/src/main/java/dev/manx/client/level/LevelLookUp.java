/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One look into the second level for the keys of a load. Filled by one thread after the other, then
 * handed on.
 *
 * <p>For a key that was not found it has a token if the load may put the value there: the head of
 * the lease that it took, or of the old entry that it saw. Whatever forgets the key at the second
 * level, be it an invalidation, an eviction or a failover, takes the token's entry away, and with
 * it the right to put there what was read before.
 */
public final class LevelLookUp<K, V> {
  /**
   * A value that was there.
   *
   * @param ageMillis since its load began, by the clocks of two servers; at least 0
   */
  public record Found<V>(V value, long ageMillis) {}

  private final byte[] epoch;
  private final Map<K, Found<V>> found = new HashMap<>();
  private final Map<K, byte[]> tokens = new HashMap<>();
  private final Set<K> old = new HashSet<>();
  private long begunMillis;

  /**
   * @param epoch of the backend when it was looked for
   */
  LevelLookUp(byte[] epoch) {
    this.epoch = epoch;
  }

  /** Nothing was found, and nothing may be put. */
  static <K, V> LevelLookUp<K, V> none() {
    return new LevelLookUp<>(null);
  }

  byte[] epoch() {
    return epoch;
  }

  void add(K key, Found<V> value) {
    found.put(key, value);
  }

  void addLease(K key, byte[] head) {
    tokens.put(key, head);
  }

  void addOld(K key, byte[] head) {
    tokens.put(key, head);
    old.add(key);
  }

  /** What was there and is true; unmodifiable. */
  public Map<K, Found<V>> found() {
    return Collections.unmodifiableMap(found);
  }

  Map<K, byte[]> tokens() {
    return tokens;
  }

  /** Whether something may be put. */
  public boolean mayFill() {
    return !tokens.isEmpty();
  }

  /** Whether there is an entry that must go if the backend has no value any more. */
  boolean isOld(K key) {
    return old.contains(key);
  }

  /** The loader is about to be called, so what it answers is as old as that. */
  void begins(long millis) {
    begunMillis = millis;
  }

  long begunMillis() {
    return begunMillis;
  }
}
