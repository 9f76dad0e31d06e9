/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.remote.StoreClaim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import net.rubyeye.xmemcached.MemcachedClient;

/**
 * The keys that record the owner of an instance, on the data connection, which is thereby tested
 * too.
 */
final class MemcachedMarks implements StoreClaim.Markers {
  private static final long LONGEST_EXPIRY_SECONDS = TimeUnit.DAYS.toSeconds(30);

  private final MemcachedClient client;
  private final long timeoutMillis;
  private final Map<String, String> stats;

  /**
   * @param stats the server's general statistics
   */
  MemcachedMarks(MemcachedClient client, long timeoutMillis, Map<String, String> stats) {
    this.client = client;
    this.timeoutMillis = timeoutMillis;
    this.stats = stats;
  }

  @Override
  public String get(String key) throws IOException {
    byte[] value = data(() -> client.get(key, timeoutMillis));
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public boolean add(String key, String value, Duration expiry) throws IOException {
    return data(() -> client.add(key, seconds(expiry), bytes(value), timeoutMillis));
  }

  @Override
  public void set(String key, String value, Duration expiry) throws IOException {
    data(() -> client.set(key, seconds(expiry), bytes(value), timeoutMillis));
  }

  @Override
  public String foreign(boolean owned) throws IOException {
    long items = MemcachedAdmin.number(stats, "curr_items");
    return owned || items == 0 ? null : items + " items that are not Manx's";
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** Rounded up; memcached reads more than 30 days as a date, and no entry is cached that long. */
  static int seconds(Duration expiry) {
    return expiry == null
        ? 0
        : (int) Math.min(LONGEST_EXPIRY_SECONDS, expiry.plusMillis(999).toSeconds());
  }

  static <T> T data(Callable<T> command) throws IOException {
    try {
      return command.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) {
      throw new IOException("statistics respond, but the data connection does not: " + e, e);
    }
  }
}
