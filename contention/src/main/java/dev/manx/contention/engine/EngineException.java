/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

/**
 * Thrown if the engine or its driver cannot be fetched, built or run; the message contains the
 * remedy.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for the user. */
  public EngineException(String message) {
    super(message);
  }

  /** Creates an exception with a message for the user and its cause. */
  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
