/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.Arrays;

/** A planned fan-out request: its intended start and its distinct keys. Immutable. */
public final class PlannedRequest {
  private final long sequence;
  private final long intendedNanos;
  private final boolean large;
  private final int[] keyIds;

  /**
   * A request.
   *
   * @param sequence its number in the stream, from 0
   * @param intendedNanos its intended start since the stream's start
   * @param large whether one of its values is large
   * @param keyIds its keys, distinct and at least one
   */
  public PlannedRequest(long sequence, long intendedNanos, boolean large, int... keyIds) {
    this.sequence = sequence;
    this.intendedNanos = intendedNanos;
    this.large = large;
    this.keyIds = keyIds.clone();
  }

  /** Returns a copy with another intended start. */
  public PlannedRequest at(long nanos) {
    return new PlannedRequest(sequence, nanos, large, keyIds);
  }

  /** Its number in the stream. */
  public long sequence() {
    return sequence;
  }

  /** Its intended start, nanoseconds since the stream's start. */
  public long intendedNanos() {
    return intendedNanos;
  }

  /** Whether one of its values is large. */
  public boolean large() {
    return large;
  }

  /** Number of reads. */
  public int reads() {
    return keyIds.length;
  }

  /** The key id of a read. */
  public int keyId(int read) {
    return keyIds[read];
  }

  /** A copy of all key ids. */
  public int[] keyIds() {
    return keyIds.clone();
  }

  @Override
  public String toString() {
    return "request " + sequence + " at " + intendedNanos + " ns " + Arrays.toString(keyIds);
  }
}
