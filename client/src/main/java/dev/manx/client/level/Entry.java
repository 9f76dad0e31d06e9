/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An entry of the second level: a value, or the lease of a server that is loading it. Both begin
 * with a head of {@value #HEAD_BYTES} bytes, unique to the entry: kind, epoch of the backend, and a
 * random number.
 *
 * @param head its head
 * @param millis when its load began, by the clock of the loading server; 0 for a lease
 * @param bytes the value; null for a lease
 */
record Entry(byte[] head, long millis, byte[] bytes) {
  /** Size of an epoch, a random number. */
  static final int EPOCH_BYTES = 8;

  static final int HEAD_BYTES = 1 + EPOCH_BYTES + Long.BYTES;

  // The letters also identify the format; a later format uses other letters.
  private static final byte VALUE = 'v';
  private static final byte LEASE = 'l';

  /** Creates a lease. */
  static byte[] lease(byte[] epoch, long random) {
    return head(LEASE, epoch, random);
  }

  /** Creates a value. */
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

  /** Decodes an entry; null if it is neither. */
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

  /** Whether it belongs to an epoch; entries of earlier epochs were invalidated together. */
  boolean isOf(byte[] epoch) {
    return Arrays.equals(head, 1, 1 + EPOCH_BYTES, epoch, 0, EPOCH_BYTES);
  }
}
