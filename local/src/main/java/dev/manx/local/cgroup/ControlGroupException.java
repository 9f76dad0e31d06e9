/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

/** Thrown if a limit of the kernel cannot be set; the message gives the reason and a remedy. */
public final class ControlGroupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message for the user. */
  public ControlGroupException(String message, Throwable cause) {
    super(message, cause);
  }
}
