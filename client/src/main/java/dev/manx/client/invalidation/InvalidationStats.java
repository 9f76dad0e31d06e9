/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

/**
 * Counts of invalidations between servers since the cache was made.
 *
 * @param sent messages that the channel took
 * @param notSent messages that it did not take, or that were too many at once; the other servers
 *     notice the gap
 * @param received messages of others that were carried out
 * @param gaps times that a message of another server was missing, or a server fell silent
 * @param breaks times that this server's own messages did not come back
 * @param forgotten times that all shared backends were emptied for one of these reasons
 * @param coarse invalidations of single keys sent as ones of all keys, because a key has no text or
 *     one of more than 1,000 characters
 * @param unread messages that were not understood: of a server with a newer format, or garbage
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
  /** Of a cache whose servers do not tell each other. */
  public static final InvalidationStats NONE =
      new InvalidationStats(0, 0, 0, 0, 0, 0, 0, 0, 0, false);
}
