/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Thrown if an experiment cannot continue; the message gives the reason and a remedy. */
public class RunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunException(String message) {
    super(message);
  }

  public RunException(String message, Throwable cause) {
    super(message, cause);
  }
}
