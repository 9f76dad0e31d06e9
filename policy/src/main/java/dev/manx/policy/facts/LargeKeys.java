/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * Knowledge of the keys with large values that coordinators exchange: only the news since the last
 * call, never all of it. Threads: any thread may call {@link #importKey}; one timer takes the news.
 */
public interface LargeKeys {
  /**
   * Begins to remember news.
   *
   * @param most keys between two calls of {@link #takeNews}; further keys are not sent
   */
  void exportNews(int most);

  /**
   * Moves the keys learnt or imported since the last call into an array, each identified by the
   * 64-bit hash of table and key, and no longer counts them as news.
   *
   * @return how many; at most the array's length and the limit of {@link #exportNews}
   */
  int takeNews(long[] into);

  /** Records that another coordinator found a key's value large. */
  void importKey(long keyHash);
}
