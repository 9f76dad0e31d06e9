/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** The cache of the controller's own application server, as the controller sees it. */
public interface LocalCache {
  /** Bytes that a backend's share holds now. */
  long usedBytes(String backend);

  /** How a backend's misses depend on space; null if that is not measured. */
  default MissCurve missCurve(String backend) {
    return null;
  }
}
