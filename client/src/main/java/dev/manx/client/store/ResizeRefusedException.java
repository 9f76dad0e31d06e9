/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** A store that serves does not take a size, for example since its server forbids it. */
public final class ResizeRefusedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was asked for and the answer
   * @param cause the answer
   */
  public ResizeRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
