/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** Thrown if a reachable store rejects a size, for example because its server forbids resizing. */
public final class ResizeRefusedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the requested size and the response
   * @param cause the response
   */
  public ResizeRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
