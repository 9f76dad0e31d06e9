/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One look-up in the second level for the keys of a load. Filled by one thread after another, then
 * passed on.
 *
 * <p>A key that was not found has a token if the load may store its value: the head of the lease
 * that it took, or of the old entry that it saw. An invalidation, an eviction or a failover removes
 * the token's entry, and with it the right to store a value that was read before.
 */
public final class LevelLookUp<K, V> {
  /**
   * A value that was found.
   *
   * @param ageMillis time since its load began, by the clocks of two servers; at least 0
   */
  public record Found<V>(V value, long ageMillis) {}

  private final byte[] epoch;
  private final Map<K, Found<V>> found = new HashMap<>();
  private final Map<K, byte[]> tokens = new HashMap<>();
  private final Set<K> old = new HashSet<>();
  private long begunMillis;

  /**
   * @param epoch of the backend at the time of the look-up
   */
  LevelLookUp(byte[] epoch) {
    this.epoch = epoch;
  }

  /** A result without values and without tokens. */
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

  /** The valid values that were found; unmodifiable. */
  public Map<K, Found<V>> found() {
    return Collections.unmodifiableMap(found);
  }

  Map<K, byte[]> tokens() {
    return tokens;
  }

  /** Whether any value may be stored. */
  public boolean mayFill() {
    return !tokens.isEmpty();
  }

  /** Whether an old entry exists, which must be deleted if the backend no longer has the key. */
  boolean isOld(K key) {
    return old.contains(key);
  }

  /** Records when the loader is called, from which the age of its values counts. */
  void begins(long millis) {
    begunMillis = millis;
  }

  long begunMillis() {
    return begunMillis;
  }
}
