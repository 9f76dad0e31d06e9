/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import dev.manx.client.Loader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A slow backend with a few connections; it can become slower at run time. */
final class SlowBackend implements Loader.Blocking<Integer, byte[]> {
  private static final int VALUE_BYTES = 4_000;

  private volatile long millis;

  SlowBackend(long millis) {
    this.millis = millis;
  }

  void slowDownTo(long newMillis) {
    millis = newMillis;
  }

  @Override
  public Map<Integer, byte[]> loadAll(List<Integer> keys) throws InterruptedException {
    Thread.sleep(millis);
    Map<Integer, byte[]> values = new HashMap<>();
    keys.forEach(key -> values.put(key, new byte[VALUE_BYTES]));
    return values;
  }
}
