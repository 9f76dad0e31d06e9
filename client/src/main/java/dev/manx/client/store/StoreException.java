/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** A failure of a store that the caller must handle: of an invalidation or a resize. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the failed operation
   */
  public StoreException(String message) {
    super(message);
  }

  /**
   * @param message the failed operation
   * @param cause the reason
   */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
