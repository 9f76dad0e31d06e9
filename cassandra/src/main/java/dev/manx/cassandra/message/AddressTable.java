/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import dev.manx.policy.facts.Varints;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A table of nodes in a message. Node ids are local to each node, so messages refer to nodes by
 * their places in such a table.
 *
 * <p>Wire form: count; for each node the length of its address, the address, and its port. Numbers
 * are varints.
 */
public final class AddressTable {
  /** Most nodes in a message. */
  public static final int MOST = 1_024;

  private static final int IPV4 = 4;
  private static final int IPV6 = 16;
  private static final int LONGEST = 1 + IPV6 + 3;

  private AddressTable() {}

  /** Appends the table of some nodes to the bytes. */
  public static byte[] put(List<InetAddressAndPort> nodes, byte[] rest) {
    byte[] room = new byte[Varints.MAX_BYTES + nodes.size() * LONGEST + rest.length];
    int at = Varints.put(room, 0, nodes.size());
    for (InetAddressAndPort node : nodes) {
      byte[] address = node.addressBytes;
      at = Varints.put(room, at, address.length);
      System.arraycopy(address, 0, room, at, address.length);
      at = Varints.put(room, at + address.length, node.getPort());
    }
    System.arraycopy(rest, 0, room, at, rest.length);
    return Arrays.copyOf(room, at + rest.length);
  }

  /**
   * Reads a table.
   *
   * @param reader over all the bytes, at the table; after the table on return
   * @return null if it is malformed
   */
  public static List<InetAddressAndPort> take(Varints.Reader reader) {
    long count = reader.number();
    if (!reader.ok() || count > MOST) {
      return null;
    }
    List<InetAddressAndPort> nodes = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      long length = reader.number();
      if (length != IPV4 && length != IPV6) {
        return null;
      }
      byte[] address = new byte[(int) length];
      for (int b = 0; b < address.length; b++) {
        address[b] = (byte) reader.octet();
      }
      long port = reader.number();
      if (!reader.ok() || port > 0xffff) {
        return null;
      }
      nodes.add(node(address, (int) port));
    }
    return nodes;
  }

  private static InetAddressAndPort node(byte[] address, int port) {
    try {
      return InetAddressAndPort.getByAddressOverrideDefaults(
          InetAddress.getByAddress(address), address, port);
    } catch (UnknownHostException e) {
      // Thrown only for lengths that are invalid for an address.
      throw new IllegalArgumentException(e);
    }
  }
}
