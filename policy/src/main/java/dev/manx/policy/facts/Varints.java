/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * Little-endian base-128 numbers: seven bits per byte; a set high bit means that more follow.
 * Values are never negative, so a number takes at most nine bytes.
 */
public final class Varints {
  /** Most bytes of one number. */
  public static final int MAX_BYTES = 9;

  private Varints() {}

  /** Number of bytes of a non-negative value. */
  public static int size(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  /** Writes a non-negative value and returns the index after it. */
  public static int put(byte[] into, int at, long value) {
    int place = at;
    long rest = value;
    while (rest >= 0x80) {
      into[place++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[place++] = (byte) rest;
    return place;
  }

  /**
   * Reads numbers from bytes that may be garbage: {@link #ok} turns false, and no exception is
   * thrown.
   */
  public static final class Reader {
    private final byte[] bytes;
    private int at;
    private int end;
    private boolean ok = true;

    /** Creates a reader at the start of the bytes. */
    public Reader(byte[] bytes) {
      this.bytes = bytes;
      this.end = bytes.length;
    }

    /** Whether every number so far was whole. */
    public boolean ok() {
      return ok;
    }

    /** The index of the next byte. */
    public int at() {
      return at;
    }

    /** Whether bytes are left in the span; false after a failure. */
    public boolean hasMore() {
      return at < end;
    }

    /** Moves the reader to a span inside the bytes; a span outside fails. */
    void span(int from, long length) {
      if (from < 0 || length < 0 || length > bytes.length - from) {
        fail();
        return;
      }
      at = from;
      end = from + (int) length;
    }

    /** The next byte, 0 to 255; 0 after a failure. */
    public int octet() {
      if (at >= end) {
        fail();
        return 0;
      }
      return bytes[at++] & 0xff;
    }

    /** The next number; 0 after a failure. */
    public long number() {
      long value = 0;
      for (int shift = 0; shift < 7 * MAX_BYTES; shift += 7) {
        int octet = octet();
        value |= (long) (octet & 0x7f) << shift;
        if (octet < 0x80) {
          return ok ? value : 0;
        }
      }
      fail();
      return 0;
    }

    private void fail() {
      ok = false;
      at = end;
    }
  }
}
