/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The entries of tied copies in Cassandra's message map: a read contains its peer, a copy its
 * coordinator. Bytes: version; durations in microseconds, four bytes; ids, eight; an address and
 * its port. Entries of other nodes may be garbage.
 */
final class TieForm {
  private static final byte VERSION = 1;
  private static final int MOST_BYTES = 48;
  private static final int ID_BYTES = Long.BYTES;

  private TieForm() {}

  /**
   * Permission to pass a read on.
   *
   * @param staggerNanos the wait before the read may be passed on
   * @param peer the replica to pass it on to
   */
  record Tie(long staggerNanos, InetAddressAndPort peer) {}

  /**
   * Marks a read as a copy.
   *
   * @param coordinator the node that waits for the answer
   * @param id the id of the answer
   * @param ageNanos how long the read had waited at the first replica
   */
  record Copied(InetAddressAndPort coordinator, long id, long ageNanos) {}

  static byte[] tie(long staggerNanos, InetAddressAndPort peer) {
    ByteBuffer into = ByteBuffer.allocate(MOST_BYTES).put(VERSION).putInt(micros(staggerNanos));
    return written(into, peer);
  }

  static byte[] copied(InetAddressAndPort coordinator, long id, long ageNanos) {
    ByteBuffer into =
        ByteBuffer.allocate(MOST_BYTES).put(VERSION).putLong(id).putInt(micros(ageNanos));
    return written(into, coordinator);
  }

  /** Reads a permission; null if malformed. */
  static Tie tie(byte[] bytes) {
    try {
      ByteBuffer from = opened(bytes);
      if (from == null) {
        return null;
      }
      long stagger = nanos(from.getInt());
      InetAddressAndPort peer = address(from);
      return peer == null || stagger < 0 ? null : new Tie(stagger, peer);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  /** Reads a copy's mark; null if malformed. */
  static Copied copied(byte[] bytes) {
    try {
      ByteBuffer from = opened(bytes);
      if (from == null) {
        return null;
      }
      long id = from.getLong();
      long age = nanos(from.getInt());
      InetAddressAndPort coordinator = address(from);
      return coordinator == null || age < 0 ? null : new Copied(coordinator, id, age);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  /** Writes the id of a copy, for messages between the two replicas. */
  static byte[] id(long copyId) {
    return ByteBuffer.allocate(ID_BYTES).putLong(copyId).array();
  }

  /** Reads the id of a copy from such a message; false if malformed. */
  static boolean read(byte[] bytes, LongConsumer into) {
    if (bytes.length != ID_BYTES) {
      return false;
    }
    into.accept(ByteBuffer.wrap(bytes).getLong());
    return true;
  }

  private static ByteBuffer opened(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    return bytes.length <= MOST_BYTES && from.get() == VERSION ? from : null;
  }

  private static int micros(long nanos) {
    long micros = Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos));
    return (int) Math.min(Integer.MAX_VALUE, micros);
  }

  private static long nanos(int micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  private static byte[] written(ByteBuffer into, InetAddressAndPort address) {
    into.put(address.getAddress().getAddress()).putShort((short) address.getPort());
    byte[] bytes = new byte[into.position()];
    into.flip().get(bytes);
    return bytes;
  }

  private static InetAddressAndPort address(ByteBuffer from) {
    byte[] ip = new byte[from.remaining() - Short.BYTES < 0 ? 0 : from.remaining() - Short.BYTES];
    from.get(ip);
    int port = from.getShort() & 0xffff;
    try {
      return InetAddressAndPort.getByAddressOverrideDefaults(InetAddress.getByAddress(ip), port);
    } catch (UnknownHostException e) {
      // Its length differs from that of addresses.
      return null;
    }
  }
}
