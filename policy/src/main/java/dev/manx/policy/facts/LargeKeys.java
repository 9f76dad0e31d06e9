/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * Knowledge of the keys with large values that coordinators can send each other: what is new since
 * the last time, never the whole of it. Threads: any may {@link #hear}; one timer takes the news.
 */
public interface LargeKeys {
  /**
   * Begins to remember news.
   *
   * @param most keys between two calls of {@link #takeNews}; those beyond are not sent
   */
  void tellNews(int most);

  /**
   * Moves the keys learnt or heard of since the last call into an array, each named by the 64-bit
   * hash of table and key, and forgets them as news.
   *
   * @return how many; never more than the array holds or {@link #tellNews} said
   */
  int takeNews(long[] into);

  /** Another coordinator found a key's value large. */
  void hear(long keyHash);
}
