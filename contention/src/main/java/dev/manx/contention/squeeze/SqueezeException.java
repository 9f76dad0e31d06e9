/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

/** A squeeze that cannot be, or could not be undone; the message says why and what to do. */
public final class SqueezeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the user. */
  public SqueezeException(String message) {
    super(message);
  }

  /** With a message for the user and its cause. */
  public SqueezeException(String message, Throwable cause) {
    super(message, cause);
  }
}
