/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** The slowest query of a request so far, which blocks the request. */
interface Blocker {
  /** The backend of the query. */
  Backend<?, ?> backend();

  /**
   * Whether the query waited for a miss: a larger share might have made it faster. False if the
   * cache had all keys of the query, or if the query bypassed the cache.
   *
   * @param pending whether the query has not ended; it then counts as a miss if it uses the cache
   */
  boolean missed(boolean pending);

  /** Any query that the local store answered; one object for each backend, not for each query. */
  record Hit(Backend<?, ?> backend) implements Blocker {
    @Override
    public boolean missed(boolean pending) {
      return false;
    }
  }
}
