/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import java.util.Arrays;

/** The reads of one request to come, in arrays that are reused. Confined to one thread. */
public final class Draw {
  private int reads;
  private boolean large;
  private long[] hashes = new long[16];
  private int[] homes = new int[16];
  private int[] bytes = new int[16];

  /** Forgets the last request. */
  void clear() {
    reads = 0;
    large = false;
  }

  /**
   * Adds a read.
   *
   * @param keyHash well-mixed hash of its key
   * @param home the first of its replicas; the others are the nodes that follow
   * @param valueBytes size of its value
   * @param isLarge whether the value is large
   */
  void add(long keyHash, int home, int valueBytes, boolean isLarge) {
    if (reads == hashes.length) {
      hashes = Arrays.copyOf(hashes, reads * 2);
      homes = Arrays.copyOf(homes, reads * 2);
      bytes = Arrays.copyOf(bytes, reads * 2);
    }
    hashes[reads] = keyHash;
    homes[reads] = home;
    bytes[reads++] = valueBytes;
    large |= isLarge;
  }

  /** Number of reads. */
  public int reads() {
    return reads;
  }

  /** Whether one of the values is large. */
  public boolean large() {
    return large;
  }

  /** Hash of a read's key. */
  public long keyHash(int read) {
    return hashes[read];
  }

  /** The node that is first among a read's replicas. */
  public int home(int read) {
    return homes[read];
  }

  /** Size of a read's value. */
  public int bytes(int read) {
    return bytes[read];
  }
}
