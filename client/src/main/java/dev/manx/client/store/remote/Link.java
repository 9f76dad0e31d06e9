/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * One instance of a cache server: sends commands, and leaves codecs, bounds and the handling of
 * failures to {@link RemoteStore}. A kind of server implements this.
 *
 * <p>The stages may fail in any way, {@link RefusedException} meaning that the server is there but
 * said no, and they all end within about the time-out. The methods that throw {@link IOException}
 * block, within the time-out for each command, and are called by one thread.
 */
public interface Link extends AutoCloseable {
  /** What the instance says of its memory. */
  record State(long limitBytes, long usedBytes) {}

  /** The values that are there. */
  CompletionStage<Map<String, byte[]>> get(Collection<String> keys);

  /**
   * Puts all.
   *
   * @param expiry after which they may go; null: none
   */
  CompletionStage<?> put(Map<String, byte[]> values, Duration expiry);

  /** Deletes all, there or not. */
  CompletionStage<?> delete(Collection<String> keys);

  /**
   * Connects anew if that is needed, tells the claim which run it reached, renews the claim, and
   * asks over every path that requests use. Changes nothing in an instance that is not this
   * store's.
   *
   * @throws IOException if it is not, or cannot be asked
   */
  State probe(Claim claim) throws IOException;

  /**
   * Gives the claim back, if that is possible at once; the instance may be used by another store.
   */
  void release(Claim claim);

  /** The state without a claim, of an instance that was just probed. */
  State state() throws IOException;

  /**
   * Sets the limit and frees what exceeds it.
   *
   * @param deadlineNanos of {@link System#nanoTime}: what is not free by then is left
   * @return the limit if it holds, else the bytes still held
   */
  long resize(long bytes, long deadlineNanos) throws IOException, InterruptedException;

  /** Limits are multiples of it. */
  long pageBytes();

  /** The smallest limit. */
  long minimumBytes();

  /** Bytes of an entry beside key and value, as the instance counts them. */
  long overheadBytes();

  /** The largest value that the server keeps, as far as known. */
  long largestValueBytes();

  /** Frees connections and threads; the instance goes on. Idempotent, does not throw. */
  @Override
  void close();

  /** The server answered with an error. */
  final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what the server answered
     */
    public RefusedException(String message) {
      super(message);
    }
  }
}
