/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

/** Thrown if a cluster cannot start or continue; the message gives the reason and a remedy. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for the user. */
  public ClusterException(String message) {
    super(message);
  }

  /** With a message for the user and its cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
