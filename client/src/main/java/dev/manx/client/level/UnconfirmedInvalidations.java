/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Invalidations that the second level has not yet confirmed: until then this process does not query
 * it for their keys. With more than {@value #MOST} keys it is not queried at all. Thread-safe.
 */
final class UnconfirmedInvalidations {
  static final int MOST = 10_000;

  /**
   * One key's invalidation.
   *
   * @param label the key's text for other servers; may be null
   * @param number its number; higher for a later invalidation of the key
   */
  record Debt(String label, long number) {}

  private final Map<String, Debt> debts = new ConcurrentHashMap<>();
  // Guarded by this.
  private long number;
  private long allNumber;
  private volatile boolean all;
  private final AtomicBoolean retrying = new AtomicBoolean();

  /**
   * Adds keys to be invalidated.
   *
   * @param labels by text
   * @return the invalidations to be confirmed; null for all keys
   */
  synchronized Map<String, Debt> add(Map<String, String> labels) {
    if (all || debts.size() + labels.size() > MOST) {
      addAll();
      return null;
    }
    Map<String, Debt> added = new HashMap<>();
    labels.forEach((text, label) -> added.put(text, new Debt(label, ++number)));
    debts.putAll(added);
    return added;
  }

  /** Adds an invalidation of all keys. */
  synchronized void addAll() {
    all = true;
    allNumber = ++number;
  }

  /** Whether an invalidation has failed and is being retried. */
  boolean isRetried() {
    return retrying.get();
  }

  /** Marks that failed invalidations are being retried; false if they already are. */
  boolean beginRetrying() {
    return retrying.compareAndSet(false, true);
  }

  /** Marks that no invalidation is being retried. */
  void endRetrying() {
    retrying.set(false);
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

  /** A copy of the invalidations, by text. */
  Map<String, Debt> debts() {
    return new HashMap<>(debts);
  }

  /** The number of the last invalidation. */
  synchronized long last() {
    return number;
  }

  /** Confirms an invalidation, unless its key was invalidated again. */
  void confirmed(String text, Debt debt) {
    debts.remove(text, debt);
  }

  /** Confirms everything up to a number. */
  synchronized void confirmedAll(long upTo) {
    debts.values().removeIf(debt -> debt.number <= upTo);
    if (allNumber <= upTo) {
      all = false;
    }
  }
}
