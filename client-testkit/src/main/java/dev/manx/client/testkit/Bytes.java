/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.store.Codec;

/** Text keys, byte values. */
public class Bytes implements Codec<String, byte[]> {
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
