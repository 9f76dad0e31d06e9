/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The server, or the servers, of a second level: sends commands, and leaves codecs, bounds and the
 * handling of failures to {@link LevelPart}. Any thread may call it, and no method blocks.
 *
 * <p>The stages may fail in any way, {@link RefusedException} meaning that the server is there but
 * said no, and they all end within about the time-out.
 */
public interface LevelLink extends AutoCloseable {
  /** Begins to connect. Called once, before the others. */
  void open();

  /**
   * Which of its servers has a name now: what is known of one's reach says nothing of the others.
   *
   * @return the same text for all names of one server; changes when another takes its place
   */
  String place(String name);

  /**
   * The values that are there.
   *
   * @param names all at one {@linkplain #place place}
   */
  CompletionStage<Map<String, byte[]>> get(Collection<String> names);

  /**
   * Puts a value where there is none.
   *
   * @param expiry after which it goes; null: none
   * @return whether it did
   */
  CompletionStage<Boolean> add(String name, byte[] value, Duration expiry);

  /**
   * Puts a value in the place of one, atomically.
   *
   * @param seen what the present value must begin with, else nothing happens
   * @param expiry after which the new one goes
   * @return whether it did
   */
  CompletionStage<Boolean> replace(String name, byte[] seen, byte[] value, Duration expiry);

  /**
   * Deletes all, there or not.
   *
   * @param names all at one {@linkplain #place place}
   */
  CompletionStage<?> delete(Collection<String> names);

  /**
   * A server does not answer: looks for the one in its place, and connects anew if need be. Returns
   * at once; does nothing while it is doing so.
   */
  void renew();

  /** Frees connections and threads. Idempotent, does not throw. */
  @Override
  void close();

  /** The server answered with an error. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what the server answered
     */
    public RefusedException(String message) {
      super(message);
    }
  }
}
