/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.concurrent.CompletionStage;

/**
 * Carries messages from each server of an application to all of them, itself included. It may lose,
 * repeat and reorder them: {@link Invalidations} notices.
 */
public interface InvalidationChannel extends AutoCloseable {
  /** Longest message in bytes. */
  int LONGEST_BYTES = 128 << 10;

  /** What a server does with what arrives; any thread, and quickly. */
  interface Listener {
    /** A message of this or another server. */
    void received(byte[] message);

    /** Messages may have been lost. */
    void broken(String why);
  }

  /** Begins to receive; returns at once and goes on trying if nothing is there. Called once. */
  void open(Listener listener);

  /**
   * Sends to all.
   *
   * @return completes when the channel has taken it, and exceptionally if it has not, within its
   *     own time-out
   */
  CompletionStage<Void> publish(byte[] message);

  /** Ends it. Idempotent, does not throw. */
  @Override
  void close();
}
