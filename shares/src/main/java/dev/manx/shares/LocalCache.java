/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** What a controller sees of its own application server's cache. */
public interface LocalCache {
  /** Bytes that a backend's share holds now. */
  long usedBytes(String backend);

  /** How a backend's misses depend on space; null if that is not measured. */
  default MissCurve missCurve(String backend) {
    return null;
  }
}
