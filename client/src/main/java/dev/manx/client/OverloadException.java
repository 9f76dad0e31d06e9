/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** A query was refused because its backend has too many pending already. */
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
