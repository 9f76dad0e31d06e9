/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses that are written by name: the name may be known later, or move to another host. */
final class Addresses {
  private Addresses() {}

  /**
   * An address to connect to.
   *
   * @param address looked up if it is unresolved
   * @throws UnknownHostException if its name is not known now
   */
  static InetSocketAddress lookedUp(InetSocketAddress address) throws UnknownHostException {
    if (!address.isUnresolved()) {
      return address;
    }
    InetSocketAddress found = new InetSocketAddress(address.getHostString(), address.getPort());
    if (found.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    return found;
  }
}
