/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sizes that a replica learns from mutations. */
@Timeout(60)
class MutationSizesTest {
  private static final int WRITES = 1_000;

  private final Engine engine = TestEngines.of("strategy: manx", () -> 7);
  // No oracle has seen a key of this hash, so its size is that of the small keys.
  private final long small = engine.strategy().sizeBytes(null, 77);

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static TableMetadata table(String name) {
    return TestSchema.select("SELECT * FROM ks." + name).table;
  }

  private void users(Consumer<Row.SimpleBuilder> writes) {
    for (int id = 0; id < WRITES; id++) {
      PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table("users"), id);
      writes.accept(update.row());
      SizeLearner.learn(engine, update.build());
    }
  }

  /** Rows with some of the columns, in partitions with or without the static one. */
  private void many(Consumer<Row.SimpleBuilder> row, boolean statics) {
    for (int key = 0; key < WRITES; key++) {
      PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table("many"), key);
      row.accept(update.row(1));
      if (statics) {
        update.row(Clustering.STATIC_CLUSTERING).noPrimaryKeyLivenessInfo().add("s", "a");
      }
      SizeLearner.learn(engine, update.build());
    }
  }

  private void taughtNothing() {
    assertThat(learned()).isZero();
    assertThat(engine.strategy().sizeBytes(null, 77)).isEqualTo(small);
  }

  private long learned() {
    return engine.counters().get(Counter.SIZES_LEARNED_FROM_WRITES);
  }

  /** A purge would make all keys look small, and the bytes in flight would no longer be bounded. */
  @Test
  void aDeleteTeachesNothing() {
    users(row -> row.noPrimaryKeyLivenessInfo().delete());
    users(row -> row.noPrimaryKeyLivenessInfo().delete("name"));
    users(row -> row.noPrimaryKeyLivenessInfo().delete("name").delete("photo").delete("age"));
    taughtNothing();
  }

  @Test
  void anUpdateOfSomeColumnsTeachesNothing() {
    users(row -> row.noPrimaryKeyLivenessInfo().add("name", "a"));
    users(row -> row.noPrimaryKeyLivenessInfo().add("name", "a").add("age", 3));
    taughtNothing();
  }

  @Test
  void aWriteOfAllColumnsThatCountTeaches() {
    users(row -> row.add("name", "a").add("photo", ByteBuffer.wrap(new byte[9])));
    assertThat(learned()).isEqualTo(WRITES);
    assertThat(engine.strategy().sizeBytes(null, 77)).isLessThan(small);
    users(row -> row.add("name", "a").add("photo", null));
    assertThat(learned()).as("without a photo, which it deletes").isEqualTo(2 * WRITES);
  }

  /** However little of the row it writes. */
  @Test
  void aLargeWriteTeaches() {
    users(row -> row.noPrimaryKeyLivenessInfo().add("name", "a".repeat(100 << 10)));
    assertThat(learned()).isEqualTo(WRITES);
  }

  @Test
  void aRowIsReadWithItsStaticsAndCollections() {
    many(row -> simple(row).add("m", Map.of("k", "v")), false);
    many(row -> simple(row), true);
    many(row -> simple(row).appendAll("m", Map.of("k", "v")), true);
    taughtNothing();
    many(row -> simple(row).add("m", Map.of("k", "v")), true);
    assertThat(learned()).isEqualTo(WRITES);
  }

  private static Row.SimpleBuilder simple(Row.SimpleBuilder row) {
    return row.add("t", "a")
        .add("b", ByteBuffer.wrap(new byte[1]))
        .add("f", List.of(1))
        .add("v", Collections.nCopies(64, 1f));
  }
}
