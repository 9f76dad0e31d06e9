/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

/**
 * Thrown if a squeeze is impossible or could not be undone; the message contains reason and remedy.
 */
public final class SqueezeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for the user. */
  public SqueezeException(String message) {
    super(message);
  }

  /** Creates an exception with a message for the user and its cause. */
  public SqueezeException(String message, Throwable cause) {
    super(message, cause);
  }
}
