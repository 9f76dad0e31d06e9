/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Codec;
import java.nio.ByteBuffer;

/**
 * Encodes values with their times. The times are those of this process's clock; values that another
 * process stored are never found.
 */
final class TimedCodec<K, V> implements Codec<K, Timed<V>> {
  private static final int TIMES_BYTES = 3 * Long.BYTES;

  private final Codec<K, V> plain;

  TimedCodec(Codec<K, V> plain) {
    this.plain = plain;
  }

  @Override
  public String key(K key) {
    return plain.key(key);
  }

  @Override
  public byte[] encode(Timed<V> timed) {
    byte[] value = plain.encode(timed.value);
    return ByteBuffer.allocate(TIMES_BYTES + value.length)
        .putLong(timed.hardNanos)
        .putLong(timed.goneNanos)
        .putLong(timed.softNanos())
        .put(value)
        .array();
  }

  @Override
  public Timed<V> decode(K key, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long hard = in.getLong();
    long gone = in.getLong();
    long soft = in.getLong();
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    V value = plain.decode(key, rest);
    return value == null ? null : new Timed<>(value, hard, gone, soft, 0);
  }
}
