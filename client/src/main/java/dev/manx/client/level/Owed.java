/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Invalidations that the second level has yet to confirm: this process does not ask it for their
 * keys until then. More than {@value #MOST} keys are not remembered one by one: then it is not
 * asked for any. Any thread.
 */
final class Owed<K> {
  static final int MOST = 10_000;

  /**
   * One key's invalidation.
   *
   * @param number of it; a later one of the same key has a higher one
   */
  record Debt<K>(K key, long number) {}

  private final Map<String, Debt<K>> debts = new ConcurrentHashMap<>();
  // Guarded by this.
  private long number;
  private long allNumber;
  private volatile boolean all;

  /**
   * Keys are to be invalidated.
   *
   * @return what is to be confirmed; null if it is everything
   */
  synchronized Map<String, Debt<K>> add(Map<String, K> keys) {
    if (all || debts.size() + keys.size() > MOST) {
      addAll();
      return null;
    }
    Map<String, Debt<K>> added = new HashMap<>();
    keys.forEach((text, key) -> added.put(text, new Debt<>(key, ++number)));
    debts.putAll(added);
    return added;
  }

  /** All keys are to be invalidated. */
  synchronized void addAll() {
    all = true;
    allNumber = ++number;
  }

  boolean contains(String text) {
    return !debts.isEmpty() && debts.containsKey(text);
  }

  boolean isAll() {
    return all;
  }

  int size() {
    return all ? Math.max(1, debts.size()) : debts.size();
  }

  /** A copy of them, by text. */
  Map<String, Debt<K>> debts() {
    return new HashMap<>(debts);
  }

  /** The number of the last one. */
  synchronized long last() {
    return number;
  }

  /** One is confirmed, unless its key was invalidated once more. */
  void confirmed(String text, Debt<K> debt) {
    debts.remove(text, debt);
  }

  /** Everything up to a number is confirmed. */
  synchronized void confirmedAll(long upTo) {
    debts.values().removeIf(debt -> debt.number <= upTo);
    if (allNumber <= upTo) {
      all = false;
    }
  }
}
