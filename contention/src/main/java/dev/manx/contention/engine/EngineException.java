/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

/** The engine or its driver cannot be fetched, built or run; the message says what to do. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the user. */
  public EngineException(String message) {
    super(message);
  }

  /** With a message for the user and its cause. */
  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
