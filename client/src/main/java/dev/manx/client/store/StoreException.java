/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** What a store could not do, for the caller to know: an invalidation or a resize. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what could not be done
   */
  public StoreException(String message) {
    super(message);
  }

  /**
   * @param message what could not be done
   * @param cause why
   */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
