/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.nio.charset.StandardCharsets;

/** Whole numbers as keys, text values. */
public final class TextCodec implements Codec<Integer, String> {
  @Override
  public String key(Integer key) {
    return key.toString();
  }

  @Override
  public byte[] encode(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(Integer key, byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
