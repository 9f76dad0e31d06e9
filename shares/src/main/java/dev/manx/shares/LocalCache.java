/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** The cache of the controller's own application server, as the controller sees it. */
public interface LocalCache {
  /** Bytes in use in a backend's share. */
  long usedBytes(String backend);

  /** A backend's miss ratio as a function of space; null if not measured. */
  default MissCurve missCurve(String backend) {
    return null;
  }
}
