/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.timer.Timer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Invalidations by Redis' or Valkey's publish and subscribe, on the channel {@code
 * manx:invalidations:APPLICATION}. It keeps nothing there, so any Redis will do that all servers
 * reach, also one whose shares are kept in it.
 *
 * <p>Two connections, of which one listens; both are tried again each second, and lettuce
 * reconnects and subscribes again by itself.
 */
public final class RedisInvalidations implements InvalidationChannel {
  private static final int MOST_QUEUED = 2_048;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final RedisURI uri;
  private final String channel;
  private final ClientOptions options;
  // Null before it is opened.
  private volatile RedisClient client;
  private volatile Timer timer;
  private volatile StatefulRedisPubSubConnection<String, byte[]> listening;
  private volatile StatefulRedisPubSubConnection<String, byte[]> sending;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean closed;
  // Why there is no connection; null while there is one.
  private volatile Throwable trouble;

  private RedisInvalidations(RedisURI uri, String channel, Duration timeout) {
    this.uri = uri;
    this.channel = channel;
    options =
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MOST_QUEUED)
            .timeoutOptions(TimeoutOptions.enabled(timeout))
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(timeout)
                    // It only listens: nothing that it sends would show that its peer is gone.
                    .keepAlive(
                        SocketOptions.KeepAliveOptions.builder()
                            .enable()
                            .idle(Duration.ofSeconds(5))
                            .interval(Duration.ofSeconds(1))
                            .count(3)
                            .build())
                    .build())
            .build();
  }

  /**
   * Through this instance.
   *
   * @param instance {@code redis://} or {@code rediss://}, with user and password as lettuce reads
   *     them
   * @param application a name that its servers share and no other application has
   * @param timeout of a connection and of a message, more than 0
   */
  public static RedisInvalidations of(URI instance, String application, Duration timeout) {
    RedisURI uri = RedisURI.create(instance);
    uri.setTimeout(timeout);
    return new RedisInvalidations(uri, "manx:invalidations:" + application, timeout);
  }

  @Override
  public void open(Listener listener) {
    timer = Lettuce.TIMER.acquire();
    client = RedisClient.create(Lettuce.CHANNELS.acquire());
    client.setOptions(options);
    connect(listener);
  }

  private void connect(Listener listener) {
    if (closed) {
      return;
    }
    client
        .connectPubSubAsync(CODEC, uri)
        .thenCompose(
            made -> {
              listening = made;
              made.addListener(
                  new RedisPubSubAdapter<String, byte[]>() {
                    @Override
                    public void message(String from, byte[] message) {
                      listener.received(message);
                    }
                  });
              return made.async().subscribe(channel);
            })
        .thenCompose(subscribed -> client.connectPubSubAsync(CODEC, uri))
        .whenComplete(
            (made, failure) -> {
              trouble = failure;
              if (failure == null) {
                sending = made;
                end(closed);
              } else {
                end(true);
                later(listener);
              }
            });
  }

  private void later(Listener listener) {
    try {
      timer.after(RETRY_NANOS, () -> connect(listener));
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  private void end(boolean now) {
    if (now) {
      StatefulRedisPubSubConnection<String, byte[]> one = listening;
      StatefulRedisPubSubConnection<String, byte[]> other = sending;
      listening = null;
      sending = null;
      if (one != null) {
        one.closeAsync();
      }
      if (other != null) {
        other.closeAsync();
      }
    }
  }

  @Override
  public CompletionStage<Void> publish(byte[] message) {
    StatefulRedisPubSubConnection<String, byte[]> connection = sending;
    return connection == null
        ? CompletableFuture.failedFuture(
            new IOException(
                "not connected to Redis at " + uri.getHost() + ":" + uri.getPort(), trouble))
        : connection.async().publish(channel, message).thenApply(receivers -> null);
  }

  @Override
  public void close() {
    closed = true;
    end(true);
    RedisClient opened = client;
    if (opened != null && ended.compareAndSet(false, true)) {
      Lettuce.TIMER.release();
      var unused =
          opened
              .shutdownAsync(0, 1, TimeUnit.SECONDS)
              .whenComplete((done, failure) -> Lettuce.CHANNELS.release());
    }
  }
}
