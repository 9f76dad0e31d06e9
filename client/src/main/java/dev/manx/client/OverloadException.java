/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** Thrown for a query that was rejected because too many queries of its backend are pending. */
public final class OverloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param backend the backend's name
   * @param maxPending the bound that was reached
   */
  OverloadException(String backend, int maxPending) {
    super(
        "backend "
            + backend
            + " has "
            + maxPending
            + " queries pending; raise max-pending or send fewer",
        null,
        false,
        false);
  }
}
