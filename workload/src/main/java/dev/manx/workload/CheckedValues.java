/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Self-checking values: magic, version, hash of the key, length, CRC32C over all of it, then filler
 * derived from key and version. Any thread.
 */
public final class CheckedValues {
  /** Size of the header, and so of the smallest value. */
  public static final int MIN_BYTES = 28;

  private static final int MAGIC = 0x4d414e58;
  private static final int VERSION_AT = 4;
  private static final int KEY_AT = 12;
  private static final int LENGTH_AT = 20;
  private static final int SUM_AT = 24;

  /** The result of checking a value that was read. */
  public enum Verdict {
    /** The complete value of the expected key. */
    OK,
    /** A complete value of another key. */
    WRONG_KEY,
    /**
     * A complete value with another length than the key specifies, or one that was truncated or
     * extended.
     */
    WRONG_LENGTH,
    /** The bytes changed, or Manx did not write the value. */
    CORRUPT
  }

  private CheckedValues() {}

  /** The value of a key at a version; {@code bytes} is at least {@link #MIN_BYTES}. */
  public static ByteBuffer encode(String key, long version, int bytes) {
    SettingCheck.that(
        bytes >= MIN_BYTES, "a value must have at least %d bytes, but has %d", MIN_BYTES, bytes);
    long keyHash = Hashes.of(key);
    ByteBuffer out = ByteBuffer.allocate(bytes);
    out.putInt(MAGIC).putLong(version).putLong(keyHash).putInt(bytes).putInt(0);
    long seed = Hashes.of(keyHash, version);
    long word = 0;
    while (out.remaining() >= Long.BYTES) {
      out.putLong(Hashes.mix(seed + word++));
    }
    for (long rest = Hashes.mix(seed + word); out.hasRemaining(); rest >>>= Byte.SIZE) {
      out.put((byte) rest);
    }
    out.putInt(SUM_AT, sum(out.flip()));
    return out;
  }

  /** Checks a value against its key; the buffer's position and limit stay as they are. */
  public static Verdict verify(String key, ByteBuffer value) {
    int start = value.position();
    int length = value.remaining();
    if (length < MIN_BYTES) {
      return length >= Integer.BYTES && value.getInt(start) == MAGIC
          ? Verdict.WRONG_LENGTH
          : Verdict.CORRUPT;
    }
    if (value.getInt(start) != MAGIC) {
      return Verdict.CORRUPT;
    }
    ByteBuffer whole = value.slice();
    if (whole.getInt(LENGTH_AT) != length) {
      return Verdict.WRONG_LENGTH;
    }
    if (whole.getInt(SUM_AT) != sum(whole)) {
      return Verdict.CORRUPT;
    }
    if (whole.getLong(KEY_AT) != Hashes.of(key)) {
      return Verdict.WRONG_KEY;
    }
    return length == encodedBytes(key, length) ? Verdict.OK : Verdict.WRONG_LENGTH;
  }

  /** The version of a value that passed {@link #verify}. */
  public static long version(ByteBuffer value) {
    return value.getLong(value.position() + VERSION_AT);
  }

  /** The size before the first {@code _} of a key, or {@code otherwise} for other keys. */
  static int encodedBytes(String key, int otherwise) {
    int bytes = 0;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == '_' && i > 0) {
        return bytes;
      }
      if (c < '0' || c > '9' || i > 8) {
        break;
      }
      bytes = bytes * 10 + c - '0';
    }
    return otherwise;
  }

  /** CRC32C of all bytes except the checksum. */
  private static int sum(ByteBuffer whole) {
    CRC32C crc = new CRC32C();
    crc.update(whole.duplicate().limit(SUM_AT));
    crc.update(whole.duplicate().position(MIN_BYTES));
    return (int) crc.getValue();
  }
}
