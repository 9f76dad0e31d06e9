/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.log.SparseLog;
import dev.manx.client.store.remote.Shared;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A second level in Redis or Valkey: one instance, the master named by Sentinels, or a Cluster.
 * Needs neither CONFIG nor a separate database; keys begin with {@code manx:level:APPLICATION:}.
 */
public final class RedisLevel implements LevelLink {
  /* It uses one key, so it runs on that key's node of a Cluster. It is atomic: the entry cannot be
   * invalidated between GETRANGE and SET. */
  private static final String REPLACE =
      "if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1] - 1) == ARGV[1] then"
          + " redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1 end return 0";

  private final RedisAddress address;
  private final LevelSettings settings;
  private final Shared<ClientResources> resources;
  private final SparseLog log = new SparseLog(RedisLevel.class);
  private final AtomicBoolean reconnecting = new AtomicBoolean();
  private final AtomicBoolean connecting = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  // Null before open().
  private volatile Connector connector;
  // Null before the first connection.
  private volatile Wire wire;
  private volatile String replaceDigest;
  private volatile Throwable trouble;
  private volatile boolean closed;

  RedisLevel(RedisAddress address, LevelSettings settings, Shared<ClientResources> resources) {
    this.address = address;
    this.settings = settings;
    this.resources = resources;
  }

  /** Creates a second level for {@code FanoutCacheBuilder.secondLevel}. */
  public static SecondLevel at(RedisAddress address, LevelSettings settings) {
    return new SecondLevel(new RedisLevel(address, settings, Lettuce.STORES), settings);
  }

  @Override
  public void open() {
    connector =
        Connector.of(
            address,
            resources,
            settings.timeout(),
            // A batch is one operation here, but on a Cluster a command for each key.
            Integer.MAX_VALUE,
            false);
    renew();
  }

  @Override
  public String place(String name) {
    Wire now = wire;
    return now == null ? "" : now.places().apply(name);
  }

  @Override
  public CompletionStage<Map<String, byte[]>> get(Collection<String> names) {
    return checked(now -> now.get(names));
  }

  @Override
  public CompletionStage<Boolean> add(String name, byte[] value, Duration expiry) {
    SetArgs absent = SetArgs.Builder.nx();
    SetArgs how = expiry == null ? absent : absent.px(Math.max(1, expiry.toMillis()));
    return checked(now -> now.commands().set(name, value, how).thenApply("OK"::equals));
  }

  @Override
  public CompletionStage<Boolean> replace(String name, byte[] seen, byte[] value, Duration expiry) {
    byte[] millis =
        Long.toString(Math.max(1, expiry.toMillis())).getBytes(StandardCharsets.US_ASCII);
    String[] key = {name};
    return checked(
        now -> {
          String digest = digest(now);
          return now.commands()
              .<Long>evalsha(digest, ScriptOutputType.INTEGER, key, seen, value, millis)
              .handle(
                  (done, failure) ->
                      cause(failure) instanceof RedisNoScriptException
                          ? now.commands()
                              .<Long>eval(
                                  REPLACE, ScriptOutputType.INTEGER, key, seen, value, millis)
                          : answered(done, failure))
              .thenCompose(answer -> answer)
              .thenApply(done -> done == 1);
        });
  }

  private String digest(Wire now) {
    String known = replaceDigest;
    if (known == null) {
      known = now.commands().digest(REPLACE);
      replaceDigest = known;
    }
    return known;
  }

  private static <T> CompletionStage<T> answered(T value, Throwable failure) {
    return failure == null
        ? CompletableFuture.completedFuture(value)
        : CompletableFuture.failedFuture(failure);
  }

  @Override
  public CompletionStage<?> delete(Collection<String> names) {
    return checked(now -> now.delete(names));
  }

  private <T> CompletionStage<T> checked(Function<Wire, CompletionStage<T>> command) {
    Wire now = wire;
    if (now == null) {
      return CompletableFuture.failedFuture(
          new IOException("not connected to Redis at " + address, trouble));
    }
    if (now.isLost()) {
      reconnect();
    }
    try {
      return command
          .apply(now)
          .handle(
              (value, failure) -> {
                if (failure != null) {
                  throw new CompletionException(translated(cause(failure)));
                }
                return value;
              });
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(translated(e));
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private Throwable translated(Throwable failure) {
    if (Answers.isReplicas(failure)) {
      reconnect();
    }
    return Answers.isError(failure)
        ? new RefusedException("redis answered: " + failure.getMessage())
        : failure;
  }

  /**
   * Connects anew, at most once a second. Reads of a former master succeed, so that its failures
   * are never many in a row; and a connection that a server or a firewall closes is needed by the
   * next operation, perhaps hours later. So attempts are repeated while the connection is lost.
   */
  private void reconnect() {
    if (!closed && reconnecting.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run)
          .execute(
              () -> {
                reconnecting.set(false);
                reconnectIfLost();
              });
      renew();
    }
  }

  private void reconnectIfLost() {
    Wire now = wire;
    if (now != null && now.isLost()) {
      reconnect();
    }
  }

  /** The old connection serves until it is replaced: other nodes of a Cluster may be reachable. */
  @Override
  public void renew() {
    if (closed || !connecting.compareAndSet(false, true)) {
      return;
    }
    CompletionStage<Wire> made;
    try {
      made = connector.connect();
    } catch (Throwable e) {
      // An Error too: else it would seem to be connecting for ever.
      made = CompletableFuture.failedFuture(e);
    }
    made.whenComplete(
        (fresh, failure) -> {
          trouble = failure;
          try {
            if (failure == null) {
              replace(fresh);
            } else if (!closed) {
              log.warn(
                  "cannot connect to the second level in Redis at "
                      + address
                      + " and will retry: "
                      + Answers.words(failure),
                  null);
            }
          } finally {
            connecting.set(false);
          }
        });
  }

  private void replace(Wire fresh) {
    Wire old = wire;
    wire = fresh;
    fresh.whenLost(
        () -> {
          if (wire == fresh) {
            reconnect();
          }
        });
    // It may have been lost before it was watched.
    reconnectIfLost();
    if (old != null) {
      // By then, operations in progress at other nodes of a Cluster have been answered.
      CompletableFuture.delayedExecutor(
              2 * settings.timeout().toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
          .execute(() -> closeReplaced(old));
    }
    if (closed) {
      fresh.close();
    }
  }

  private void closeReplaced(Wire old) {
    if (!closed) {
      old.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    wire = null;
    Connector opened = connector;
    // This also closes the connections; lettuce warns if one is closed twice.
    if (opened != null && ended.compareAndSet(false, true)) {
      var unused = opened.shutdown().whenComplete((done, failure) -> resources.release());
    }
  }
}
