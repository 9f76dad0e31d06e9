/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

/** A connection that cannot be made, with what to do about it. */
public final class ConnectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that says what is wrong and what to do. */
  public ConnectException(String message) {
    super(message);
  }

  /** The same with what the driver or the JDK said. */
  public ConnectException(String message, Throwable cause) {
    super(message, cause);
  }
}
