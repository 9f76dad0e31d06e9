/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import java.nio.ByteBuffer;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;

/** A well-mixed 64-bit hash of table, key and requested part, the same on every node. */
public final class KeyHash {
  static final long MIX = 0x9E3779B97F4A7C15L;

  private KeyHash() {}

  /**
   * Hashes a key whose token is known; the default partitioner's token already is a hash of the
   * key.
   *
   * @param part the part of the partition that is read, as in {@link ReadPart}
   */
  public static long of(TableMetadata table, Token token, ByteBuffer key, long part) {
    long hash = table.partitioner instanceof Murmur3Partitioner ? token.getLongValue() : bytes(key);
    long mixed = mix(hash ^ mix(table.id.asUUID().getMostSignificantBits() ^ MIX));
    return part == ReadPart.WHOLE ? mixed : mix(mixed + part);
  }

  private static long bytes(ByteBuffer key) {
    long hash = MIX;
    for (int i = key.position(); i < key.limit(); i++) {
      hash = (hash ^ key.get(i)) * 0x100000001B3L;
    }
    return mix(hash);
  }

  static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
