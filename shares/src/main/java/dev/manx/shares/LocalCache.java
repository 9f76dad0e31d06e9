/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** The cache of the controller's own application server, as the controller sees it. */
public interface LocalCache {
  /** Bytes in use in a backend's share. */
  long usedBytes(String backend);

  /**
   * Values of a backend that its share had no room for so far: entries that were evicted, and
   * values that were not stored because each is too large; never decreases. 0 if unknown. A share
   * without room counts as full, however few bytes are in use: entries that are large for it never
   * fill it.
   */
  default long withoutRoom(String backend) {
    return 0;
  }

  /** A backend's miss ratio as a function of space; null if not measured. */
  default MissCurve missCurve(String backend) {
    return null;
  }
}
