/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.AbortedRead;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.ReadPart;
import dev.manx.cassandra.nodes.WrittenRow;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/** Updates the size oracle from observed reads and writes. */
public final class SizeLearner {
  private SizeLearner() {}

  /** The bytes of an answer's rows, or -1 for a digest, which does not contain them. */
  public static long bytes(ReadResponse response) {
    return response.isDigestResponse()
        ? -1
        : ReadResponse.serializer.serializedSize(response, MessagingService.current_version);
  }

  /** Learns from a message that answers a read of a key, unless its replica aborted the read. */
  public static void learn(Engine engine, long keyHash, Message<?> answer) {
    if (answer.payload instanceof ReadResponse && !AbortedRead.isIn(answer)) {
      learn(engine, keyHash, bytes((ReadResponse) answer.payload));
    }
  }

  /**
   * Learns from an answer to a read of a key; without an oracle, updates the mean size of answers.
   *
   * @param bytes as {@link #bytes} returns them
   */
  public static void learn(Engine engine, long keyHash, long bytes) {
    if (bytes >= 0 && engine.strategy().sizes() == null) {
      engine.measures().answerBytes().add((double) bytes);
    } else if (bytes >= 0) {
      learn(engine, null, keyHash, bytes);
      engine.counters().count(Counter.SIZES_LEARNED_FROM_READS);
    }
  }

  /** Passes a size to the oracle, which must exist. */
  public static void learn(Engine engine, ByteBuffer key, long keyHash, long bytes) {
    long outer = engine.guard().stalls().enter(engine.clock().nanoTime());
    try {
      engine.strategy().sizes().learn(key, keyHash, bytes);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  /** Learns from a write that another node coordinates. */
  public static void learn(Engine engine, Mutation mutation) {
    if (engine.strategy().sizes() != null
        && !SchemaConstants.isSystemKeyspace(mutation.getKeyspaceName())) {
      mutation.getPartitionUpdates().forEach(update -> learn(engine, update));
    }
  }

  /** Learns from the write of a partition; for many rows of it, the size of one of them. */
  static void learn(Engine engine, PartitionUpdate update) {
    long bytes = update.dataSize() / Math.max(1, update.rowCount());
    if (!WrittenRow.teaches(update, bytes, engine.strategy().traits().largeAboveBytes())) {
      return;
    }
    TableMetadata table = update.metadata();
    ByteBuffer key = update.partitionKey().getKey();
    long hash = KeyHash.of(table, update.partitionKey().getToken(), key, ReadPart.ofWrite(table));
    learn(engine, key, hash, bytes);
    engine.counters().count(Counter.SIZES_LEARNED_FROM_WRITES);
  }
}
