/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

/**
 * Maps names to the servers of a fleet: equally for all application servers configured with the
 * same addresses, in any order. An added or removed server changes only its own names (rendezvous
 * hashing; Thaler and Ravishankar, IEEE/ACM Transactions on Networking 6(1), 1998).
 */
final class Fleet {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final String[] servers;
  private final long[] hashes;

  /**
   * @param addresses at least one, each once
   */
  Fleet(List<InetSocketAddress> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("at least one memcached is needed");
    }
    servers = addresses.stream().map(Fleet::text).toArray(String[]::new);
    if (new HashSet<>(List.of(servers)).size() < servers.length) {
      throw new IllegalArgumentException("duplicate memcached: " + List.of(servers));
    }
    hashes = new long[servers.length];
    for (int i = 0; i < servers.length; i++) {
      hashes[i] = hash(servers[i]);
    }
  }

  /** An address as configured. */
  static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /** The server of a name. */
  String of(String name) {
    long hash = hash(name);
    int best = 0;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < servers.length; i++) {
      long weight = mixed(hash ^ hashes[i]);
      // Among equal weights, with a probability of 2^-64, the first by name.
      if (weight > most || (weight == most && servers[i].compareTo(servers[best]) < 0)) {
        most = weight;
        best = i;
      }
    }
    return servers[best];
  }

  /** FNV-1a with additional mixing, because hashes of short texts are close together. */
  private static long hash(String text) {
    long hash = FNV_OFFSET;
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    return mixed(hash);
  }

  /** The final steps of MurmurHash3. */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
