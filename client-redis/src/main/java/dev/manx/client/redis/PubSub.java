/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Connections for publish and subscribe to one Redis, to that of a Sentinel, or to a Cluster. */
final class PubSub {
  private static final Duration TOPOLOGY_PERIOD = Duration.ofSeconds(5);
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  /** One more connection; it connects again by itself. */
  private interface Connector {
    CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> connect();
  }

  private final AbstractRedisClient client;
  private final Connector connector;

  private PubSub(AbstractRedisClient client, Connector connector) {
    this.client = client;
    this.connector = connector;
  }

  /** At one address, which may be that of Sentinels. */
  static PubSub of(ClientResources resources, RedisURI uri, ClientOptions options) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(options);
    return new PubSub(client, () -> client.connectPubSubAsync(CODEC, uri));
  }

  /**
   * In a Cluster, where any node will do: all of them hear a message.
   *
   * @param nodes some of it, of which one must be there to begin with
   */
  static PubSub ofCluster(ClientResources resources, List<RedisURI> nodes, ClientOptions options) {
    RedisClusterClient client = RedisClusterClient.create(resources, nodes);
    client.setOptions(
        ClusterClientOptions.builder(options)
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                    .enableAllAdaptiveRefreshTriggers()
                    .build())
            .build());
    return new PubSub(
        client,
        () ->
            client
                .refreshPartitionsAsync()
                .thenCompose(known -> client.connectPubSubAsync(CODEC))
                .thenApply(made -> made));
  }

  CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> connect() {
    return connector.connect();
  }

  /** Completes, either way, when its connections are closed. */
  CompletionStage<Void> shutdown() {
    return client.shutdownAsync(0, 1, TimeUnit.SECONDS);
  }
}
