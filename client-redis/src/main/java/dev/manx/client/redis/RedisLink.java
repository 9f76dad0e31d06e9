/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.StoreException;
import dev.manx.client.store.remote.Link;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.StoreClaim;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One Redis or Valkey over lettuce. A failed connection is closed and replaced by the next probe,
 * so that no command is repeated after its caller has stopped waiting.
 */
final class RedisLink implements Link {
  /* Measured on Redis 7 with values of 100 and 1,000 bytes: 80 to 90, including the allocator's
   * rounding. */
  private static final int ENTRY_OVERHEAD_BYTES = 90;

  private static final long LARGEST_VALUE_BYTES = 512L << 20;
  private static final long WAIT_MILLIS = 2;

  private final RedisClient client;
  private final RedisURI uri;
  private final String eviction;
  private final Answers answers;
  private final long connectNanos;
  private volatile StatefulRedisConnection<String, byte[]> connection;
  private volatile long connections;
  // Used by the store's thread only: the run that was reached last, and the one that was claimed.
  private String run;
  private String claimedRun;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * @param eviction the {@code maxmemory-policy}
   */
  RedisLink(RedisURI uri, RemoteSettings settings, String eviction, RedisTls tls) {
    Duration toConnect = Connector.toConnect(settings.timeout());
    connectNanos = toConnect.toNanos();
    this.uri = RedisURI.builder(uri).withTimeout(toConnect).build();
    this.eviction = eviction;
    answers = new Answers(2 * settings.timeout().toNanos());
    client = RedisClient.create(Lettuce.STORES.acquire());
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            // A batch whose entries expire is one operation, and a command for each key.
            .requestQueueSize(Integer.MAX_VALUE)
            .timeoutOptions(TimeoutOptions.enabled(settings.timeout()))
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(toConnect)
                    .keepAlive(true)
                    .tcpNoDelay(true)
                    .build());
    client.setOptions(tls.into(options).build());
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> keys) {
    return Answers.to(() -> use().async().mget(keys.toArray(String[]::new)))
        .thenApply(RedisLink::found);
  }

  private static Map<String, byte[]> found(List<KeyValue<String, byte[]>> answers) {
    Map<String, byte[]> found = new HashMap<>();
    for (KeyValue<String, byte[]> answer : answers) {
      if (answer.hasValue()) {
        found.put(answer.getKey(), answer.getValue());
      }
    }
    return found;
  }

  @Override
  public CompletionStage<?> put(Map<String, byte[]> values, Duration expiry) {
    StatefulRedisConnection<String, byte[]> current = connection;
    if (current == null) {
      return CompletableFuture.failedFuture(new StoreException("not connected"));
    }
    if (expiry == null) {
      return Answers.to(() -> current.async().mset(values));
    }
    SetArgs until = SetArgs.Builder.px(Math.max(1, expiry.toMillis()));
    return all(
        values.entrySet().stream()
            .map(
                entry ->
                    Answers.to(() -> current.async().set(entry.getKey(), entry.getValue(), until)))
            .toList());
  }

  /** Fails with an error response only if every other command has been answered, too. */
  private static CompletableFuture<?> all(List<CompletableFuture<String>> sent) {
    return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
        .exceptionally(
            first -> {
              throw new CompletionException(
                  sent.stream()
                      .map(one -> one.handle((done, failure) -> failure).join())
                      .filter(failure -> failure != null && !isRefused(failure))
                      .findFirst()
                      .orElse(first));
            });
  }

  private static boolean isRefused(Throwable failure) {
    return failure instanceof RefusedException || failure.getCause() instanceof RefusedException;
  }

  @Override
  public CompletionStage<?> delete(Collection<String> keys) {
    return Answers.to(() -> use().async().unlink(keys.toArray(String[]::new)));
  }

  private StatefulRedisConnection<String, byte[]> use() throws IOException {
    StatefulRedisConnection<String, byte[]> current = connection;
    if (current == null) {
      throw new IOException("not connected");
    }
    return current;
  }

  @Override
  public long connection() {
    return connections;
  }

  @Override
  public State probe(StoreClaim claim) throws IOException {
    StatefulRedisConnection<String, byte[]> current = present();
    boolean fresh = current == null;
    boolean fine = false;
    try {
      if (fresh) {
        current = connect(claim);
      }
      // A full instance evicts markers, too: without them, its run shows whose it is.
      claim.renew(marks(current), !fresh || run != null && run.equals(claimedRun));
      claimedRun = run;
      if (fresh) {
        // Not before: until then it may be an instance of others.
        serve(current);
        set("maxmemory-policy", eviction);
        set("activedefrag", "yes");
      }
      State state = state();
      fine = true;
      return state;
    } finally {
      if (!fine) {
        // Closed once: lettuce warns if one is closed twice.
        boolean serves = current == connection;
        disconnect();
        if (!serves && current != null) {
          var unused = current.closeAsync();
        }
      }
    }
  }

  /** The connection that serves, if it is open; else it is closed, and the result is null. */
  private StatefulRedisConnection<String, byte[]> present() {
    StatefulRedisConnection<String, byte[]> current = connection;
    if (current != null && current.isOpen()) {
      return current;
    }
    disconnect();
    return null;
  }

  private StatefulRedisConnection<String, byte[]> connect(StoreClaim claim) throws IOException {
    CompletableFuture<StatefulRedisConnection<String, byte[]>> made =
        client
            .connectAsync(RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE), uri)
            .toCompletableFuture();
    boolean known = false;
    try {
      StatefulRedisConnection<String, byte[]> fresh = answers.await(made, 2 * connectNanos);
      run = runOf(answers.ask(fresh.async().info("server")));
      claim.reached(run);
      known = true;
      return fresh;
    } finally {
      if (!known) {
        // Also one that is made after this thread has stopped waiting.
        var unused = made.thenCompose(StatefulRedisConnection::closeAsync);
      }
    }
  }

  private void serve(StatefulRedisConnection<String, byte[]> fresh) throws IOException {
    connection = fresh;
    // Afterwards: until then, a command on it counts as one on neither of the two.
    connections++;
    if (closed) {
      connection = null;
      throw new IOException("closed");
    }
  }

  private static String runOf(String info) {
    return info.lines()
        .filter(line -> line.startsWith("run_id:"))
        .map(line -> line.substring("run_id:".length()).strip())
        .findFirst()
        .orElse(null);
  }

  private StoreClaim.Markers marks(StatefulRedisConnection<String, byte[]> at) {
    return new RedisMarks(at.async(), answers, uri.getDatabase());
  }

  @Override
  public void release(StoreClaim claim) {
    try {
      // Not in one step, which would need permission for scripts. If the lease ends in between and
      // another store claims the instance, that claims it again with its next poll.
      if (connection != null && claim.is(marks(use()).get(StoreClaim.LEASE))) {
        answers.ask(use().async().del(StoreClaim.LEASE));
      }
    } catch (IOException e) {
      // The lease will expire.
    }
  }

  /**
   * Sets a parameter where permitted: a hosted server may reject it, and one without its own
   * jemalloc rejects the latter.
   */
  private void set(String name, String value) throws IOException {
    try {
      answers.ask(use().async().configSet(name, value));
    } catch (RefusedException e) {
      // It serves regardless.
    }
  }

  @Override
  public State state() throws IOException {
    String memory = info("memory");
    String stats = info("stats");
    // Only the others are indispensable.
    long evicted = stats.contains("evicted_keys:") ? field(stats, "evicted_keys") : 0;
    return new State(field(memory, "maxmemory"), usedBytes(memory), evicted);
  }

  private String info(String section) throws IOException {
    return answers.ask(use().async().info(section));
  }

  private static long usedBytes(String memory) throws IOException {
    return field(memory, "used_memory") - field(memory, "mem_not_counted_for_evict");
  }

  static long field(String info, String name) throws IOException {
    for (String line : info.split("\r?\n", -1)) {
      if (line.startsWith(name + ":")) {
        try {
          return Long.parseLong(line.substring(name.length() + 1).trim());
        } catch (NumberFormatException e) {
          break;
        }
      }
    }
    throw new IOException("redis does not report its " + name);
  }

  @Override
  public long resize(long bytes, long deadlineNanos) throws IOException, InterruptedException {
    answers.ask(use().async().configSet("maxmemory", Long.toString(bytes)));
    while (true) {
      // Each command evicts a part, so polling also makes progress.
      long used = usedBytes(info("memory"));
      if (used <= bytes) {
        return bytes;
      }
      if (System.nanoTime() - deadlineNanos > 0) {
        return used;
      }
      Thread.sleep(WAIT_MILLIS);
    }
  }

  @Override
  public long pageBytes() {
    return 1;
  }

  @Override
  public long minimumBytes() {
    return RedisStore.MINIMUM_BYTES;
  }

  @Override
  public long overheadBytes() {
    return ENTRY_OVERHEAD_BYTES;
  }

  @Override
  public long largestValueBytes() {
    return LARGEST_VALUE_BYTES;
  }

  private void disconnect() {
    StatefulRedisConnection<String, byte[]> old = connection;
    connection = null;
    if (old != null) {
      // No thread waits for it; a connection that cannot be closed is useless too.
      var unused = old.closeAsync();
    }
  }

  @Override
  public void close() {
    closed = true;
    connection = null;
    if (ended.compareAndSet(false, true)) {
      // This also closes the connection; lettuce warns if one is closed twice.
      var unused =
          client
              .shutdownAsync(0, 1, TimeUnit.SECONDS)
              .whenComplete((done, failure) -> Lettuce.STORES.release());
    }
  }
}
