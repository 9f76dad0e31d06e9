/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.remote.Shared;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Opens all connections to a {@link RedisAddress}. Thread-safe. */
final class Connector {
  /**
   * Each time, every application server connects to every node. After a failure the topology is
   * read at once: by lettuce, and with each new attempt to connect.
   */
  private static final Duration TOPOLOGY_PERIOD = Duration.ofMinutes(1);

  /**
   * Minimum time for an attempt to connect. TCP, TLS and the login take several round trips, and no
   * operation waits for them.
   */
  private static final Duration LEAST_TO_CONNECT = Duration.ofSeconds(2);

  /** The commands that find a server, as part of an attempt to connect. */
  private static final Set<String> SEARCHES = Set.of("SENTINEL", "CLUSTER", "INFO", "CLIENT");

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final AbstractRedisClient client;
  // Null for a Cluster.
  private final RedisURI uri;

  private Connector(AbstractRedisClient client, RedisURI uri) {
    this.client = client;
    this.uri = uri;
  }

  /**
   * Creates a connector for connections of one kind.
   *
   * @param resources of which it is one more user, to be released after {@link #shutdown}
   * @param timeout of a command
   * @param queued maximum number of commands waiting for responses
   * @param reconnects whether a broken connection is replaced automatically; those to the nodes of
   *     a Cluster always are
   */
  static Connector of(
      RedisAddress address,
      Shared<ClientResources> resources,
      Duration timeout,
      int queued,
      boolean reconnects) {
    ClientResources acquired = resources.acquire();
    boolean made = false;
    try {
      Connector connector = of(address, acquired, timeout, queued, reconnects);
      made = true;
      return connector;
    } finally {
      if (!made) {
        resources.release();
      }
    }
  }

  private static Connector of(
      RedisAddress address,
      ClientResources resources,
      Duration timeout,
      int queued,
      boolean reconnects) {
    List<RedisURI> uris = address.uris(toConnect(timeout));
    ClientOptions options =
        address.tls().into(options(timeout, queued, reconnects || address.isCluster())).build();
    if (!address.isCluster()) {
      RedisClient client = RedisClient.create(resources);
      client.setOptions(options);
      return new Connector(client, uris.get(0));
    }
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    client.setOptions(
        ClusterClientOptions.builder(options)
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                    .enableAllAdaptiveRefreshTriggers()
                    .build())
            .build());
    return new Connector(client, null);
  }

  private static ClientOptions.Builder options(Duration timeout, int queued, boolean reconnects) {
    return ClientOptions.builder()
        .autoReconnect(reconnects)
        // It also fails commands whose answers were lost with the connection, in place of sending
        // them again: other servers may have deleted what the first ones have stored.
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(queued)
        .timeoutOptions(
            TimeoutOptions.builder()
                .timeoutCommands()
                .timeoutSource(new CommandTimes(timeout))
                .build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(toConnect(timeout))
                // A connection that only listens sends nothing, so it would not notice the loss of
                // its peer.
                .keepAlive(
                    SocketOptions.KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(5))
                        .interval(Duration.ofSeconds(1))
                        .count(3)
                        .build())
                .build());
  }

  /**
   * The time-out of an attempt to connect.
   *
   * @param timeout of an operation
   */
  static Duration toConnect(Duration timeout) {
    return timeout.compareTo(LEAST_TO_CONNECT) > 0 ? timeout : LEAST_TO_CONNECT;
  }

  private static final class CommandTimes extends TimeoutOptions.TimeoutSource {
    private final long nanos;
    private final long searchNanos;

    CommandTimes(Duration timeout) {
      nanos = timeout.toNanos();
      searchNanos = toConnect(timeout).toNanos();
    }

    @Override
    public TimeUnit getTimeUnit() {
      return TimeUnit.NANOSECONDS;
    }

    @Override
    public long getTimeout(RedisCommand<?, ?, ?> command) {
      return SEARCHES.contains(command.getType().toString()) ? searchNanos : nanos;
    }
  }

  /**
   * Opens another connection for publish and subscribe. In a Cluster any node will do: all nodes
   * receive every message.
   */
  CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> connectPubSub() {
    return client instanceof RedisClusterClient cluster
        ? cluster
            .refreshPartitionsAsync()
            .thenCompose(known -> cluster.connectPubSubAsync(CODEC))
            .thenApply(made -> made)
        : ((RedisClient) client).connectPubSubAsync(CODEC, uri);
  }

  /** Opens another connection for commands; in a Cluster to all its nodes. */
  CompletionStage<Wire> connect() {
    if (client instanceof RedisClusterClient cluster) {
      return cluster
          .refreshPartitionsAsync()
          .thenCompose(known -> cluster.connectAsync(CODEC))
          .thenApply(Connector::wire);
    }
    return ((RedisClient) client).connectAsync(CODEC, uri).thenApply(Connector::wire);
  }

  private static Wire wire(StatefulRedisConnection<String, byte[]> made) {
    return Wire.of(made);
  }

  private static Wire wire(StatefulRedisClusterConnection<String, byte[]> made) {
    return Wire.ofCluster(made);
  }

  /** Completes, normally or not, when its connections are closed. */
  CompletionStage<Void> shutdown() {
    return client.shutdownAsync(0, 1, TimeUnit.SECONDS);
  }
}
