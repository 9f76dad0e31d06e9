/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.ReadPart;
import dev.manx.cassandra.nodes.WrittenRow;
import dev.manx.cassandra.wire.SizeLearner;
import dev.manx.policy.strategy.Traits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.UpdateStatement;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/**
 * Updates the size oracle from a write that this node coordinated: with the bytes of its bound
 * values, for every large write and a sample of the others. Other replicas learn from the mutations
 * that they receive.
 */
final class WrittenSizes {
  private WrittenSizes() {}

  // Of writes with small bound values, one in this many; a power of two.
  private static final int SAMPLE = 8;

  /**
   * Learns from a statement that Cassandra has executed, if it writes values. Never throws: the
   * statement has succeeded, and its client must get that result.
   */
  static void learn(Engine engine, CQLStatement statement, QueryOptions options) {
    if (!(statement instanceof UpdateStatement)) {
      return;
    }
    UpdateStatement write = (UpdateStatement) statement;
    try {
      if (engine.strategy().sizes() == null
          || !engine.config().learnFromWrites()
          || !isInformative(write)) {
        return;
      }
      long bytes = boundBytes(options);
      Traits traits = engine.strategy().traits();
      boolean large = bytes >= traits.largeAboveBytes();
      if (!large && (ThreadLocalRandom.current().nextInt() & SAMPLE - 1) != 0) {
        return;
      }
      // Its client waits, and most writes say nothing or nothing about their key.
      if (!teaches(write, options, bytes, traits.largeAboveBytes()) || !mayEvaluate(write)) {
        return;
      }
      if (large || traits.needsKeysOfSmall()) {
        learn(engine, write, options, bytes);
      } else {
        learn(engine, null, 0, bytes);
      }
    } catch (Throwable t) {
      engine.guard().fault("the size of a write", t);
    }
  }

  // A statement without bound values has no known size, and a conditional write may have written
  // nothing.
  private static boolean isInformative(UpdateStatement write) {
    return !write.getBindVariables().isEmpty() && !write.hasConditions();
  }

  private static boolean mayEvaluate(ModificationStatement write) {
    TableMetadata table = write.metadata();
    return !table.isVirtual()
        && !SchemaConstants.isSystemKeyspace(table.keyspace)
        && !write.getFunctions().iterator().hasNext()
        // Values for several partitions do not give the size of any one.
        && !write.getRestrictions().keyIsInRelation();
  }

  private static boolean teaches(
      ModificationStatement write, QueryOptions options, long bytes, long largeAboveBytes) {
    return WrittenRow.teaches(
        write.metadata(), write.getBindVariables(), options.getValues(), bytes, largeAboveBytes);
  }

  private static void learn(
      Engine engine, ModificationStatement write, QueryOptions options, long bytes) {
    List<ByteBuffer> keys =
        ClientTerms.evaluate(
            engine,
            write,
            options,
            () -> write.buildPartitionKeyNames(options, ClientState.forInternalCalls()));
    TableMetadata table = write.metadata();
    if (keys == null || keys.size() != 1) {
      return;
    }
    ByteBuffer key = keys.get(0);
    long hash = KeyHash.of(table, table.partitioner.getToken(key), key, ReadPart.ofWrite(table));
    learn(engine, key, hash, bytes);
  }

  private static void learn(Engine engine, ByteBuffer key, long hash, long bytes) {
    SizeLearner.learn(engine, key, hash, bytes);
    engine.counters().count(Counter.SIZES_LEARNED_FROM_WRITES);
  }

  private static long boundBytes(QueryOptions options) {
    long bytes = 0;
    for (ByteBuffer value : options.getValues()) {
      bytes += value == null ? 0 : value.remaining();
    }
    return bytes;
  }
}
