/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.Inbox;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.log.SparseLog;
import dev.manx.client.store.remote.Shared;
import dev.manx.client.timer.Timer;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Invalidations by publish and subscribe of Redis or Valkey, on the channel {@code
 * manx:invalidations:APPLICATION}. It stores nothing, so any Redis that all servers reach will do,
 * including one that holds shares.
 *
 * <p>Uses two connections, one of them for listening. Both are retried each second; lettuce
 * reconnects and resubscribes automatically, with waits of at most two seconds. It does so only
 * after an error, so both are replaced if messages are not returned: by a Redis that hangs, or
 * whose host has vanished.
 */
public final class RedisInvalidations implements InvalidationChannel {
  /** One to listen, and one to send. */
  private static final class Connections {
    private volatile StatefulRedisPubSubConnection<String, byte[]> listening;
    private volatile StatefulRedisPubSubConnection<String, byte[]> sending;
  }

  private static final int MOST_QUEUED = 2_048;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RedisAddress address;
  private final Duration timeout;
  private final String channel;
  private final Shared<ClientResources> resources;
  private final Shared<? extends Timer> timers;
  // Null before open().
  private volatile Connector connector;
  private volatile Timer timer;
  private volatile Inbox inbox;
  // Null while not connected; written under this.
  private volatile Connections present;
  private final SparseLog log = new SparseLog(RedisInvalidations.class);
  private final AtomicBoolean ended = new AtomicBoolean();
  // Guarded by this: from the beginning of an attempt until one succeeds, or none will follow.
  private boolean connecting;
  // Guarded by this: messages may have been lost since.
  private boolean wasConnected;
  private volatile boolean closed;
  // Reason of a missing connection; null while connected.
  private volatile Throwable trouble;

  RedisInvalidations(
      RedisAddress address,
      String application,
      Duration timeout,
      Shared<ClientResources> resources,
      Shared<? extends Timer> timers) {
    ChannelKind.APPLICATION.check(application);
    this.address = address;
    this.timeout = timeout;
    this.resources = resources;
    this.timers = timers;
    channel = "manx:invalidations:" + application;
  }

  /**
   * Creates a channel through a Redis.
   *
   * @param application a name that all its servers share and no other application uses
   * @param timeout of a connection and of a message, more than 0
   */
  public static RedisInvalidations at(RedisAddress address, String application, Duration timeout) {
    return new RedisInvalidations(address, application, timeout, Lettuce.CHANNELS, Lettuce.TIMER);
  }

  /**
   * Creates a channel through one instance, or the master named by Sentinels.
   *
   * @param instance as for {@link RedisAddress#of}
   * @param application a name that all its servers share and no other application uses
   * @param timeout of a connection and of a message, more than 0
   */
  public static RedisInvalidations of(URI instance, String application, Duration timeout) {
    return at(RedisAddress.of(instance), application, timeout);
  }

  /**
   * Creates a channel through a Redis Cluster.
   *
   * @param nodes at least one of its nodes; the others are discovered
   * @param application a name that all its servers share and no other application uses
   * @param timeout of a connection and of a message, more than 0
   */
  public static RedisInvalidations ofCluster(
      List<URI> nodes, String application, Duration timeout) {
    return at(RedisAddress.ofCluster(nodes), application, timeout);
  }

  @Override
  public void open(Listener listener) {
    Connector made = Connector.of(address, resources, timeout, MOST_QUEUED, true);
    timer = timers.acquire();
    inbox = new Inbox(listener);
    connector = made;
    renew();
  }

  @Override
  public void renew() {
    Connections broken;
    boolean begins;
    synchronized (this) {
      broken = present;
      present = null;
      begins = connector != null && !connecting;
      connecting |= begins;
    }
    end(broken);
    if (begins) {
      connect();
    }
  }

  @Override
  public void replace() {
    synchronized (this) {
      if (connector == null || connecting) {
        return;
      }
      connecting = true;
    }
    connect();
  }

  private void connect() {
    if (closed) {
      return;
    }
    Connections made = new Connections();
    listen(made)
        .thenCompose(subscribed -> connector.connectPubSub())
        .whenComplete(
            (sending, failure) -> {
              trouble = failure;
              made.sending = sending;
              if (failure == null) {
                use(made);
              } else {
                retry(made, failure);
              }
            });
  }

  private void use(Connections made) {
    Connections before;
    boolean again;
    synchronized (this) {
      before = present;
      present = closed ? null : made;
      connecting = false;
      again = wasConnected;
      wasConnected = true;
    }
    end(closed ? made : before);
    if (again) {
      lostForAMoment();
    }
  }

  private void lostForAMoment() {
    // A process that began and ended in between is followed by no other message.
    inbox.broken("the connection to Redis was lost for a moment");
  }

  private void retry(Connections failed, Throwable failure) {
    try {
      end(failed);
      report(failure);
      later();
    } catch (Throwable e) {
      // For example, out of memory: no attempt will follow, so the next renewal begins one.
      trouble = e;
      synchronized (this) {
        connecting = false;
      }
    }
  }

  private void report(Throwable failure) {
    if (!closed) {
      log.warn(
          "cannot connect to Redis at "
              + address
              + " for invalidations and will retry: "
              + Answers.words(failure),
          null);
    }
  }

  private CompletionStage<Void> listen(Connections made) {
    try {
      return connector.connectPubSub().thenCompose(listening -> subscribe(listening, made));
    } catch (Throwable e) {
      // It is tried again as after any other failure.
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Void> subscribe(
      StatefulRedisPubSubConnection<String, byte[]> listening, Connections made) {
    made.listening = listening;
    AtomicBoolean again = new AtomicBoolean();
    listening.addListener(
        new RedisPubSubAdapter<String, byte[]>() {
          @Override
          public void message(String from, byte[] message) {
            // Two connections would deliver each message twice.
            if (present == made) {
              inbox.received(message);
            }
          }

          @Override
          public void subscribed(String to, long count) {
            if (again.getAndSet(true) && present == made) {
              lostForAMoment();
            }
          }
        });
    return listening.async().subscribe(channel);
  }

  private void later() {
    try {
      timer.after(RETRY_NANOS, this::connect);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private static void end(Connections some) {
    if (some != null && some.listening != null) {
      some.listening.closeAsync();
    }
    if (some != null && some.sending != null) {
      some.sending.closeAsync();
    }
  }

  @Override
  public CompletionStage<Void> publish(byte[] message) {
    Connections now = present;
    return now == null
        ? CompletableFuture.failedFuture(
            new IOException("not connected to Redis at " + address, trouble))
        : publish(now, message)
            .exceptionallyCompose(
                failure -> {
                  Connections next = present;
                  // Replaced connections are closed, also with a message on its way. Receivers may
                  // get it twice.
                  return next == null || next == now
                      ? CompletableFuture.failedFuture(failure)
                      : publish(next, message);
                });
  }

  private CompletionStage<Void> publish(Connections to, byte[] message) {
    return to.sending.async().publish(channel, message).thenApply(receivers -> null);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      present = null;
    }
    Connector opened = connector;
    // This also closes the connections; lettuce warns if one is closed twice.
    if (opened != null && ended.compareAndSet(false, true)) {
      inbox.close();
      timers.release();
      var unused = opened.shutdown().whenComplete((done, failure) -> resources.release());
    }
  }
}
