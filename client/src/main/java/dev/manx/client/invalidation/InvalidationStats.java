/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

/**
 * Counters of invalidations between servers since the cache was created.
 *
 * @param sent messages that the channel accepted
 * @param notSent messages that the channel did not accept, or that exceeded its limit; the other
 *     servers notice the gap
 * @param received messages of other servers that were applied
 * @param gaps times that a message of another server was missing, or a server fell silent
 * @param breaks times that this server's own messages did not come back
 * @param forgotten times that all shared backends were emptied for one of these reasons
 * @param coarse invalidations of single keys sent as invalidations of all keys, because the backend
 *     has no {@link KeyText}, or a key has no text or more than 1,000 characters
 * @param unread messages that could not be decoded: from a server with a newer format, or garbage
 * @param peers other servers known now
 * @param connected whether this server's own messages come back
 */
public record InvalidationStats(
    long sent,
    long notSent,
    long received,
    long gaps,
    long breaks,
    long forgotten,
    long coarse,
    long unread,
    int peers,
    boolean connected) {
  /** The counters of a cache without an invalidation channel. */
  public static final InvalidationStats NONE =
      new InvalidationStats(0, 0, 0, 0, 0, 0, 0, 0, 0, false);
}
