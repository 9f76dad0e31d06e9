/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

/** A limit of the kernel that cannot be had; the message says why and what to do. */
public final class ControlGroupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message for people. */
  public ControlGroupException(String message, Throwable cause) {
    super(message, cause);
  }
}
