/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.remote.Link;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.StoreClaim;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.impl.ReconnectRequest;

/**
 * One memcached: xmemcached for the data, called by {@link MemcachedCalls}, and {@link
 * MemcachedAdmin} for its memory.
 */
final class MemcachedLink implements Link {
  /* An item's head with its compare-and-set number (56), and the terminators of key and value. */
  private static final int ENTRY_OVERHEAD_BYTES = 59;

  private static final long HEAL_MILLIS = 200;
  private static final int LONGEST_KEY = 250;

  private final InetSocketAddress address;
  private final long timeoutMillis;
  private final MemcachedClient client;
  private final MemcachedCalls calls;
  private final MemcachedAdmin admin;
  private final SlabPages pages;
  private final Connections connections = new Connections();
  // Used by the supervisor's thread.
  private final Starts starts = new Starts();
  // Likewise; null: none yet.
  private String claimedStart;
  // Likewise: whether the client has the server, whose name was not known before.
  private boolean added;
  private volatile long largestValueBytes = 1L << 20;

  MemcachedLink(String backend, InetSocketAddress address, RemoteSettings settings) {
    this.address = address;
    timeoutMillis = Math.max(1, settings.timeout().toMillis());
    admin = new MemcachedAdmin(address, settings.timeout());
    pages = new SlabPages(admin);
    calls = new MemcachedCalls(backend, settings, connections);
    client = client();
    try {
      addServer();
    } catch (IOException e) {
      // The next probe tries again.
    }
  }

  private void addServer() throws IOException {
    if (!added) {
      client.addServer(Addresses.lookedUp(address));
      added = true;
    }
  }

  private MemcachedClient client() {
    XMemcachedClientBuilder builder = new XMemcachedClientBuilder();
    builder.setConnectionPoolSize(1);
    builder.setSelectorPoolSize(1);
    builder.setOpTimeout(timeoutMillis);
    builder.setConnectTimeout(timeoutMillis);
    builder.setHealSessionInterval(HEAL_MILLIS);
    builder.setTranscoder(new RawBytes());
    builder.addStateListener(connections);
    try {
      return builder.build();
    } catch (IOException e) {
      // The constructor opens a selector; an unreachable server is retried later instead of
      // failing.
      throw new java.io.UncheckedIOException("cannot open a selector", e);
    }
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> keys) {
    return calls.run(deadline -> client.get(keys, timeoutMillis));
  }

  @Override
  public CompletionStage<?> put(Map<String, byte[]> values, Duration expiry) {
    int seconds = MemcachedMarks.seconds(expiry);
    return calls.run(
        deadline -> {
          // One connection keeps the order: the last response proves that all sets were processed.
          // A set for which the class has no memory is then dropped without a response.
          int left = values.size();
          for (Map.Entry<String, byte[]> entry : values.entrySet()) {
            MemcachedCalls.expectBefore(deadline, "sending");
            if (--left > 0) {
              client.setWithNoReply(entry.getKey(), seconds, entry.getValue());
            } else {
              client.set(entry.getKey(), seconds, entry.getValue(), timeoutMillis);
            }
          }
          return null;
        });
  }

  @Override
  public CompletionStage<?> delete(Collection<String> keys) {
    return calls.run(
        deadline -> {
          // As above, one response for all: a response each would take a round trip each.
          int left = keys.size();
          for (String key : keys) {
            MemcachedCalls.expectBefore(deadline, "sending");
            if (--left > 0) {
              client.deleteWithNoReply(key);
            } else {
              client.delete(key, timeoutMillis);
            }
          }
          return null;
        });
  }

  /** The longer a server is away, the longer its client waits, up to a minute; a probe does not. */
  private void connectSoon() {
    reconnects().forEach(request -> request.setTries(0));
  }

  Queue<ReconnectRequest> reconnects() {
    return client.getReconnectRequestQueue();
  }

  /** How many connections it has made so far. */
  @Override
  public long connection() {
    return connections.made();
  }

  @Override
  public State probe(StoreClaim claim) throws IOException {
    addServer();
    connectSoon();
    int made = connections.made();
    Map<String, String> stats = admin.stats("");
    largestValueBytes =
        MemcachedAdmin.number(admin.stats("settings"), "item_size_max") - LONGEST_KEY;
    String start = starts.id(stats);
    claim.reached(start);
    claim.renew(new MemcachedMarks(client, timeoutMillis, stats), start.equals(claimedStart));
    claimedStart = start;
    calls.claimed(made);
    return state(stats);
  }

  @Override
  public State state() throws IOException {
    return state(admin.stats(""));
  }

  private static State state(Map<String, String> stats) throws IOException {
    // What slab pages waste is not counted as used; evictions tell that there was no other room.
    return new State(
        MemcachedAdmin.number(stats, "limit_maxbytes"),
        MemcachedAdmin.number(stats, "bytes"),
        MemcachedAdmin.number(stats, "evictions"));
  }

  @Override
  public void release(StoreClaim claim) {
    try {
      // Not in one step: if the lease ends in between and another store claims the instance, that
      // claims it again with its next poll.
      if (claim.is(new MemcachedMarks(client, timeoutMillis, Map.of()).get(StoreClaim.LEASE))) {
        MemcachedMarks.data(() -> client.delete(StoreClaim.LEASE, timeoutMillis));
      }
    } catch (IOException e) {
      // The lease expires.
    }
  }

  @Override
  public long resize(long bytes, long deadlineNanos) throws IOException, InterruptedException {
    expectOk("cache_memlimit " + bytes / SlabPages.PAGE_BYTES);
    return pages.shrink(bytes, deadlineNanos);
  }

  private void expectOk(String command) throws IOException {
    String answer = admin.ask(command);
    if (!answer.startsWith("OK")) {
      throw new RefusedException("memcached answered " + command + " with: " + answer);
    }
  }

  @Override
  public long pageBytes() {
    return SlabPages.PAGE_BYTES;
  }

  @Override
  public long minimumBytes() {
    return MemcachedStore.MINIMUM_BYTES;
  }

  @Override
  public long overheadBytes() {
    return ENTRY_OVERHEAD_BYTES;
  }

  @Override
  public long largestValueBytes() {
    return largestValueBytes;
  }

  @Override
  public void close() {
    calls.close();
    admin.close();
    try {
      client.shutdown();
    } catch (IOException e) {
      // its sockets are closed in any case
    }
  }
}
