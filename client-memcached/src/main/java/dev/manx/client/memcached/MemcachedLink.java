/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.StoreException;
import dev.manx.client.store.remote.Link;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.StoreClaim;
import dev.manx.client.timer.Daemons;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.exception.MemcachedClientException;
import net.rubyeye.xmemcached.exception.MemcachedServerException;
import net.rubyeye.xmemcached.impl.ReconnectRequest;

/**
 * One memcached: xmemcached for the data, {@link MemcachedAdmin} for its memory. xmemcached blocks,
 * so it is called on a few separate threads.
 */
final class MemcachedLink implements Link {
  /* An item's head with its compare-and-set number (56), and the terminators of key and value. */
  private static final int ENTRY_OVERHEAD_BYTES = 59;

  private static final int THREADS = 4;
  private static final long HEAL_MILLIS = 200;
  private static final int LONGEST_KEY = 250;
  private static final long LONGEST_EXPIRY_SECONDS = TimeUnit.DAYS.toSeconds(30);

  private final InetSocketAddress address;
  private final long timeoutMillis;
  private final MemcachedClient client;
  private final ThreadPoolExecutor threads;
  private final MemcachedAdmin admin;
  private final SlabPages pages;
  private final Connections connections = new Connections();
  // Number of connections when the server was last known to be the store's; -1: none yet.
  private volatile int claimedConnections = -1;
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
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(settings.maxOutstanding()),
            Daemons.single("manx-memcached-" + backend));
    threads.allowCoreThreadTimeOut(true);
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
    return call(deadline -> client.get(keys, timeoutMillis));
  }

  @Override
  public CompletionStage<?> put(Map<String, byte[]> values, Duration expiry) {
    int seconds = seconds(expiry);
    return call(
        deadline -> {
          // One connection keeps the order: the last response proves that all sets were processed.
          // A set for which the class has no memory is then dropped without a response.
          int left = values.size();
          for (Map.Entry<String, byte[]> entry : values.entrySet()) {
            expectBefore(deadline, "sending");
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
    return call(
        deadline -> {
          // As above, one response for all: a response each would take a round trip each.
          int left = keys.size();
          for (String key : keys) {
            expectBefore(deadline, "sending");
            if (--left > 0) {
              client.deleteWithNoReply(key);
            } else {
              client.delete(key, timeoutMillis);
            }
          }
          return null;
        });
  }

  /**
   * What was sent on a connection that was lost has no response, and may not have arrived. What was
   * read on the next one may be of another server, or of one that has restarted with old values.
   */
  private void expectSameConnection(int made) throws IOException {
    if (connections.made() != made) {
      throw new IOException("reconnected during an operation");
    }
  }

  /** An operation that was given up must not hold its thread. */
  private static void expectBefore(long deadlineNanos, String what) throws TimeoutException {
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new TimeoutException("no time left for " + what);
    }
  }

  private interface Timely<T> {
    T call(long deadlineNanos) throws Exception;
  }

  /** Runs an operation on one of the threads, unless it was given up while waiting. */
  private <T> CompletionStage<T> call(Timely<T> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      threads.execute(
          () -> {
            int made = connections.made();
            if (isUnclaimed(made)) {
              result.completeExceptionally(
                  new StoreException("reconnected to a server that is not yet verified"));
              return;
            }
            try {
              if (System.nanoTime() - deadline > 0) {
                throw new StoreException("given up while it waited for a thread");
              }
              T value = operation.call(deadline);
              expectSameConnection(made);
              result.complete(value);
            } catch (MemcachedServerException | MemcachedClientException e) {
              result.completeExceptionally(new RefusedException(String.valueOf(e.getMessage())));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              result.completeExceptionally(e);
            } catch (Throwable e) {
              // Includes an Error: otherwise its place among the operations in progress would be
              // lost.
              result.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StoreException("too many operations wait", e));
    } catch (OutOfMemoryError e) {
      result.completeExceptionally(e);
    }
    return result;
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

  private boolean isUnclaimed(int made) {
    int claimed = claimedConnections;
    return claimed >= 0 && claimed != made;
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
    claim.renew(new Marks(stats), start.equals(claimedStart));
    claimedStart = start;
    claimedConnections = made;
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

  /** The claim's keys, on the data connection, which is thereby tested too. */
  private final class Marks implements StoreClaim.Markers {
    private final Map<String, String> stats;

    Marks(Map<String, String> stats) {
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

    private byte[] bytes(String value) {
      return value.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Rounded up; memcached reads more than 30 days as a date, and no entry is cached that long. */
  private static int seconds(Duration expiry) {
    return expiry == null
        ? 0
        : (int) Math.min(LONGEST_EXPIRY_SECONDS, expiry.plusMillis(999).toSeconds());
  }

  private static <T> T data(Callable<T> command) throws IOException {
    try {
      return command.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) {
      throw new IOException("statistics respond, but the data connection does not: " + e, e);
    }
  }

  @Override
  public void release(StoreClaim claim) {
    try {
      byte[] holder = data(() -> client.get(StoreClaim.LEASE, timeoutMillis));
      if (holder != null && claim.is(new String(holder, StandardCharsets.UTF_8))) {
        data(() -> client.delete(StoreClaim.LEASE, timeoutMillis));
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
    threads.shutdownNow();
    admin.close();
    try {
      client.shutdown();
    } catch (IOException e) {
      // its sockets are closed in any case
    }
  }
}
