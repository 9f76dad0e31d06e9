/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

/** Thrown if a connection cannot be made; the message includes a remedy. */
public final class ConnectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that states cause and remedy. */
  public ConnectException(String message) {
    super(message);
  }

  /** With a message and the exception of the driver or the JDK. */
  public ConnectException(String message, Throwable cause) {
    super(message, cause);
  }
}
