/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.MemcachedClientStateListener;

/**
 * Counts a client's connections, which it makes anew by itself: a new one may be to another server.
 * Any thread.
 */
final class Connections implements MemcachedClientStateListener {
  private final AtomicInteger made = new AtomicInteger();

  /** How many it has made so far. */
  int made() {
    return made.get();
  }

  /** Before anything can be sent on it. */
  @Override
  public void onConnected(MemcachedClient client, InetSocketAddress address) {
    made.incrementAndGet();
  }

  @Override
  public void onStarted(MemcachedClient client) {}

  @Override
  public void onShutDown(MemcachedClient client) {}

  @Override
  public void onDisconnected(MemcachedClient client, InetSocketAddress address) {}

  @Override
  public void onException(MemcachedClient client, Throwable failure) {}
}
