/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.concurrent.CompletionStage;

/**
 * Carries messages from each server of an application to all of them, including itself. It may
 * lose, repeat and reorder messages: {@link Invalidations} detects this.
 */
public interface InvalidationChannel extends AutoCloseable {
  /** Longest message in bytes. */
  int LONGEST_BYTES = 128 << 10;

  /** Receives the messages; thread-safe and fast. */
  interface Listener {
    /** A message of this or another server. */
    void received(byte[] message);

    /** Messages may have been lost. */
    void broken(String why);
  }

  /** Begins to receive; returns at once and keeps retrying if the connection fails. Called once. */
  void open(Listener listener);

  /**
   * Sends a message to all servers. Must not block: the caller may be a thread of the network.
   *
   * @return completes when the channel has accepted it; completes exceptionally if it was not
   *     accepted within the channel's time-out
   */
  CompletionStage<Void> publish(byte[] message);

  /**
   * Replaces the connections. Called when this server's own messages have not come back for some
   * seconds, so that a connection may be dead although no error was reported, and again some
   * seconds later while this lasts. Returns at once.
   */
  default void renew() {}

  /**
   * Connects anew, and uses the present connections until the new ones are established. Called when
   * every other server has fallen silent: the channel still works, but may be cut off from them
   * together with this server. Returns at once.
   */
  default void replace() {
    renew();
  }

  /** Closes the channel. Idempotent, does not throw. */
  @Override
  void close();
}
