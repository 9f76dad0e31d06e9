/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** Text keys, byte values. */
public final class ByteCodec implements Codec<String, byte[]> {
  @Override
  public String key(String key) {
    return key;
  }

  @Override
  public byte[] encode(byte[] value) {
    return value;
  }

  @Override
  public byte[] decode(String key, byte[] bytes) {
    return bytes;
  }
}
