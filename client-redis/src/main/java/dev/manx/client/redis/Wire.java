/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A connection for commands, to one instance or to all nodes of a Cluster. Thread-safe.
 *
 * @param connection the connection to close
 * @param commands commands; each single-key command is routed to its node
 * @param places the node of a key; the same text for all keys of one node
 * @param cluster whether a command may name only keys of one slot
 */
record Wire(
    StatefulConnection<String, byte[]> connection,
    RedisClusterAsyncCommands<String, byte[]> commands,
    Function<String, String> places,
    boolean cluster) {
  static Wire of(StatefulRedisConnection<String, byte[]> made) {
    return new Wire(made, made.async(), key -> "", false);
  }

  static Wire ofCluster(StatefulRedisClusterConnection<String, byte[]> made) {
    return new Wire(made, made.async(), key -> node(made, key), true);
  }

  /** Whether its connection is closed for good; those of a Cluster come back by themselves. */
  boolean isLost() {
    return !cluster && !connection.isOpen();
  }

  /** Calls back when it is lost, on a thread of the network. */
  void whenLost(Runnable then) {
    if (!cluster) {
      connection.addListener(
          new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
              then.run();
            }
          });
    }
  }

  private static String node(StatefulRedisClusterConnection<String, byte[]> made, String key) {
    RedisClusterNode node = made.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    return node == null ? "no node" : node.getNodeId();
  }

  /** Reads the values of keys of one node. */
  CompletionStage<Map<String, byte[]>> get(Collection<String> keys) {
    if (!cluster) {
      return commands.mget(keys.toArray(String[]::new)).thenApply(Wire::found);
    }
    // Nearly every key has its own slot, and MGET accepts only one slot.
    Map<String, RedisFuture<byte[]>> sent = new LinkedHashMap<>();
    keys.forEach(key -> sent.put(key, commands.get(key)));
    return all(sent.values())
        .thenApply(
            done -> {
              Map<String, byte[]> found = new HashMap<>();
              sent.forEach((key, answer) -> put(found, key, answer.toCompletableFuture().join()));
              return found;
            });
  }

  private static Map<String, byte[]> found(Iterable<KeyValue<String, byte[]>> answers) {
    Map<String, byte[]> found = new HashMap<>();
    answers.forEach(answer -> put(found, answer.getKey(), answer.getValueOrElse(null)));
    return found;
  }

  private static void put(Map<String, byte[]> found, String key, byte[] value) {
    if (value != null) {
      found.put(key, value);
    }
  }

  /** Deletes keys of one node. */
  CompletionStage<?> delete(Collection<String> keys) {
    return cluster
        ? all(keys.stream().map(commands::unlink).toList())
        : commands.unlink(keys.toArray(String[]::new));
  }

  private static CompletableFuture<Void> all(Collection<? extends RedisFuture<?>> some) {
    return CompletableFuture.allOf(
        some.stream()
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new));
  }

  /** No thread waits for it; a connection that cannot be closed is useless too. */
  void close() {
    var unused = connection.closeAsync();
  }
}
