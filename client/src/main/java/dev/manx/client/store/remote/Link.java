/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The connection to one instance of a cache server, implemented by each kind of server. It sends
 * commands; {@link RemoteStore} handles codecs, limits and failures.
 *
 * <p>The stages may fail in any way, and all end within about the time-out. {@link
 * RefusedException} means that a reachable server returned an error. Methods that throw {@link
 * IOException} block, within the time-out for each command, and are called by one thread.
 */
public interface Link extends AutoCloseable {
  /**
   * The memory that the instance reports.
   *
   * @param evicted entries that it has evicted since its start; 0 if unknown
   */
  record State(long limitBytes, long usedBytes, long evicted) {
    /** The state of an instance that does not report its evictions. */
    public State(long limitBytes, long usedBytes) {
      this(limitBytes, usedBytes, 0);
    }
  }

  /** Reads the stored values. */
  CompletionStage<Map<String, byte[]>> get(Collection<String> keys);

  /**
   * Stores all values.
   *
   * @param expiry time after which they may expire; null: never
   */
  CompletionStage<?> put(Map<String, byte[]> values, Duration expiry);

  /**
   * The number of the connection that requests use, which grows with each new one. A server
   * executes the commands of a connection in order, so a successful {@link #probe} settles earlier
   * puts on the same connection that had no response. Read before and after sending: an operation
   * was on the connection if both numbers are equal.
   *
   * @return negative: unknown, so that such puts stay in doubt
   */
  default long connection() {
    return -1;
  }

  /** Deletes keys, existing or not. */
  CompletionStage<?> delete(Collection<String> keys);

  /**
   * Reconnects if necessary, reports to the claim which run it reached, renews the claim, and sends
   * a command over every connection that requests use. Does not change an instance that is not this
   * store's.
   *
   * @throws IOException if it is not this store's, or cannot be contacted
   */
  State probe(StoreClaim claim) throws IOException;

  /** Releases the claim, if possible at once, so that another store may use the instance. */
  void release(StoreClaim claim);

  /** The state without a claim, of an instance that was just probed. */
  State state() throws IOException;

  /**
   * Sets the limit and frees memory above it.
   *
   * @param deadlineNanos of {@link System#nanoTime}: memory not freed by then is left
   * @return the limit if it was reached, else the bytes still occupied
   */
  long resize(long bytes, long deadlineNanos) throws IOException, InterruptedException;

  /** Limits are multiples of this. */
  long pageBytes();

  /** The smallest limit. */
  long minimumBytes();

  /** Bytes of an entry in addition to key and value, as counted by the instance. */
  long overheadBytes();

  /** The largest value that the server stores, as far as known. */
  long largestValueBytes();

  /** Frees connections and threads; the instance keeps running. Idempotent, does not throw. */
  @Override
  void close();

  /** The server answered with an error. */
  final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the server's response
     */
    public RefusedException(String message) {
      super(message);
    }
  }
}
