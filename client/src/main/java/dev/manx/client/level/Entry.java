/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the second level has under a key: a value, or the lease of a server that is loading it. Both
 * begin with a head of {@value #HEAD_BYTES} bytes, which no two ever share: kind, epoch of the
 * backend, and a number drawn at random.
 *
 * @param head of it
 * @param millis when its load began, of the clock of the server that loaded it; 0 for a lease
 * @param bytes the value; null for a lease
 */
record Entry(byte[] head, long millis, byte[] bytes) {
  /** Bytes of an epoch: its own random number. */
  static final int EPOCH_BYTES = 8;

  static final int HEAD_BYTES = 1 + EPOCH_BYTES + Long.BYTES;

  // They also name the format; a later one takes other letters.
  private static final byte VALUE = 'v';
  private static final byte LEASE = 'l';

  /** A new lease. */
  static byte[] lease(byte[] epoch, long random) {
    return head(LEASE, epoch, random);
  }

  /** A new value. */
  static byte[] value(byte[] epoch, long random, long millis, byte[] bytes) {
    return ByteBuffer.allocate(HEAD_BYTES + Long.BYTES + bytes.length)
        .put(head(VALUE, epoch, random))
        .putLong(millis)
        .put(bytes)
        .array();
  }

  private static byte[] head(byte kind, byte[] epoch, long random) {
    return ByteBuffer.allocate(HEAD_BYTES).put(kind).put(epoch).putLong(random).array();
  }

  /** Reads what is there; null if it is neither. */
  static Entry read(byte[] there) {
    if (there.length < HEAD_BYTES) {
      return null;
    }
    byte[] head = Arrays.copyOf(there, HEAD_BYTES);
    if (head[0] == LEASE && there.length == HEAD_BYTES) {
      return new Entry(head, 0, null);
    }
    if (head[0] != VALUE || there.length < HEAD_BYTES + Long.BYTES) {
      return null;
    }
    long millis = ByteBuffer.wrap(there).getLong(HEAD_BYTES);
    return new Entry(
        head, millis, Arrays.copyOfRange(there, HEAD_BYTES + Long.BYTES, there.length));
  }

  boolean isLease() {
    return bytes == null;
  }

  /** Whether it is of an epoch; those of earlier ones were invalidated with all others. */
  boolean isOf(byte[] epoch) {
    return Arrays.equals(head, 1, 1 + EPOCH_BYTES, epoch, 0, EPOCH_BYTES);
  }
}
