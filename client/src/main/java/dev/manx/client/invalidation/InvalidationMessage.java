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
 * What one server tells the others.
 *
 * @param kind of message
 * @param sender a number drawn by the server when it started
 * @param number of the sender's last invalidation, this one included; 0 before its first
 * @param backend whose keys; empty for a beat and a farewell
 * @param keys to forget; empty for all of them
 */
record InvalidationMessage(Kind kind, long sender, long number, String backend, List<String> keys) {
  /** Keys of one message. */
  static final int MOST_KEYS = 100;

  /** Longest key. */
  static final int LONGEST_KEY = 1_000;

  /** What the keys of one message may take, which leaves enough for its head. */
  static final int MOST_KEY_BYTES = InvalidationChannel.LONGEST_BYTES - 1_024;

  private static final byte VERSION = 1;

  /**
   * The beginning of a message of any format: format, kind, sender and number stay where they are,
   * and the kinds keep their numbers, so that servers of two formats can follow each other.
   *
   * @param format of the message
   * @param farewell whether the sender ends
   * @param sender as in a message
   * @param number as in a message
   */
  record Head(byte format, boolean farewell, long sender, long number) {
    private static final int BYTES = 2 + 2 * Long.BYTES;

    /** Of a message of a newer format than this one; empty if it is not one. */
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

  /** What a message says. */
  enum Kind {
    /** The sender is there. */
    BEAT,
    /** Keys are to be forgotten. */
    KEYS,
    /** All keys of a backend are to be forgotten. */
    ALL,
    /** The sender ends. */
    FAREWELL
  }

  /** What a key takes in a message, as {@link DataOutputStream#writeUTF} writes it. */
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
   * Reads one.
   *
   * @throws IOException if it is not one
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
