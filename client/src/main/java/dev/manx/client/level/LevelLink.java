/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The connection to the servers of a second level. It sends commands; {@link LevelPart} handles
 * codecs, limits and failures. Thread-safe; no method blocks.
 *
 * <p>The stages may fail in any way, and all end within about the time-out. {@link
 * RefusedException} means that a reachable server returned an error.
 */
public interface LevelLink extends AutoCloseable {
  /** Begins to connect. Called once, before the others. */
  void open();

  /**
   * The server that now holds a name; reachability is tracked per server.
   *
   * @return the same text for all names of one server; changes when another server takes over
   */
  String place(String name);

  /**
   * Reads the stored values.
   *
   * @param names all at one {@linkplain #place place}
   */
  CompletionStage<Map<String, byte[]>> get(Collection<String> names);

  /**
   * Stores a value if the name has none.
   *
   * @param expiry time until it expires; null: never
   * @return whether it was stored
   */
  CompletionStage<Boolean> add(String name, byte[] value, Duration expiry);

  /**
   * Replaces a value atomically.
   *
   * @param seen required beginning of the present value; otherwise nothing changes
   * @param expiry time until the new value expires
   * @return whether it was replaced
   */
  CompletionStage<Boolean> replace(String name, byte[] seen, byte[] value, Duration expiry);

  /**
   * Deletes names, existing or not.
   *
   * @param names all at one {@linkplain #place place}
   */
  CompletionStage<?> delete(Collection<String> names);

  /**
   * Called when a server does not answer: looks for its replacement, and reconnects if necessary.
   * Returns at once; ignored while already in progress.
   */
  void renew();

  /** Frees connections and threads. Idempotent, does not throw. */
  @Override
  void close();

  /** The server answered with an error. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the server's response
     */
    public RefusedException(String message) {
      super(message);
    }
  }
}
