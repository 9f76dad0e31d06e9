/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import net.rubyeye.xmemcached.transcoders.CachedData;
import net.rubyeye.xmemcached.transcoders.CompressionMode;
import net.rubyeye.xmemcached.transcoders.Transcoder;

/** Passes bytes unchanged. */
final class RawBytes implements Transcoder<Object> {
  @Override
  public CachedData encode(Object value) {
    byte[] bytes = (byte[]) value;
    return new CachedData(0, bytes, bytes.length, 0);
  }

  @Override
  public Object decode(CachedData data) {
    return data.getData();
  }

  @Override
  public void setPrimitiveAsString(boolean ignored) {}

  @Override
  public void setPackZeros(boolean ignored) {}

  @Override
  public void setCompressionThreshold(int ignored) {}

  @Override
  public boolean isPrimitiveAsString() {
    return false;
  }

  @Override
  public boolean isPackZeros() {
    return false;
  }

  @Override
  public void setCompressionMode(CompressionMode ignored) {}
}
