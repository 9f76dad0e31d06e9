/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** Thrown for a load that was not begun because its backend's circuit breaker is open. */
public final class BreakerOpenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param backend the backend's name
   */
  BreakerOpenException(String backend) {
    super("the circuit breaker of backend " + backend + " is open", null, false, false);
  }
}
