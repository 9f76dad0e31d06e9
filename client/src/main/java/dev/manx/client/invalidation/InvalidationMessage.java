/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message from one server to the others.
 *
 * @param kind of message
 * @param sender a random number drawn by the server when it started
 * @param number of the sender's last invalidation, including this one; 0 before the first
 * @param backend the backend of the keys; empty for a beat and a farewell
 * @param keys keys to remove; empty for all keys
 */
record InvalidationMessage(Kind kind, long sender, long number, String backend, List<String> keys) {
  /** Maximum number of keys in one message. */
  static final int MOST_KEYS = 100;

  /** Maximum length of a key. */
  static final int LONGEST_KEY = 1_000;

  /** Maximum size of the keys of one message; leaves room for its head. */
  static final int MOST_KEY_BYTES = InvalidationChannel.LONGEST_BYTES - 1_024;

  private static final byte VERSION = 1;

  /**
   * The beginning of a message of any format. Format, kind, sender and number keep their positions,
   * and the kinds keep their numbers, so that servers of two formats can follow each other.
   *
   * @param format of the message
   * @param farewell whether the sender is closing
   * @param sender as in a message
   * @param number as in a message
   */
  record Head(byte format, boolean farewell, long sender, long number) {
    private static final int BYTES = 2 + 2 * Long.BYTES;

    /** Reads the head of a message of a newer format; empty for other messages. */
    static Optional<Head> newer(byte[] message) {
      if (message.length < BYTES || message[0] <= VERSION) {
        return Optional.empty();
      }
      ByteBuffer in = ByteBuffer.wrap(message);
      byte format = in.get();
      boolean farewell = in.get() == Kind.FAREWELL.ordinal();
      return Optional.of(new Head(format, farewell, in.getLong(), in.getLong()));
    }
  }

  /** The kinds of messages. */
  enum Kind {
    /** The sender is alive. */
    BEAT,
    /** Keys must be removed. */
    KEYS,
    /** All keys of a backend must be removed. */
    ALL,
    /** The sender is closing. */
    FAREWELL
  }

  /** The size of a key as encoded by {@link DataOutputStream#writeUTF}. */
  static int bytes(String key) {
    int bytes = Short.BYTES;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      bytes += c == 0 || c > 0x7f ? c > 0x7ff ? 3 : 2 : 1;
    }
    return bytes;
  }

  byte[] encode() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION);
      out.writeByte(kind.ordinal());
      out.writeLong(sender);
      out.writeLong(number);
      out.writeUTF(backend);
      out.writeShort(keys.size());
      for (String key : keys) {
        out.writeUTF(key);
      }
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Decodes a message.
   *
   * @throws IOException if it is malformed
   */
  static InvalidationMessage decode(byte[] bytes) throws IOException {
    if (bytes.length > InvalidationChannel.LONGEST_BYTES) {
      throw new IOException("a message of " + bytes.length + " bytes");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readByte();
    int kind = in.readByte();
    if (version != VERSION || kind < 0 || kind >= Kind.values().length) {
      throw new IOException("version " + version + ", kind " + kind);
    }
    long sender = in.readLong();
    long number = in.readLong();
    String backend = in.readUTF();
    int count = in.readUnsignedShort();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(in.readUTF());
    }
    return new InvalidationMessage(Kind.values()[kind], sender, number, backend, keys);
  }
}
