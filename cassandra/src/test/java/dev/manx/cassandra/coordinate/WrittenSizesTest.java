/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sizes that a coordinator learns from the writes of its clients. */
@Timeout(60)
class WrittenSizesTest {
  // Of small writes one in eight is looked at.
  private static final int WRITES = 1_000;
  private static final String INSERT = "INSERT INTO ks.users (id, name, photo) VALUES (?, ?, ?)";
  private static final ByteBuffer NAME = UTF8Type.instance.decompose("a");
  private static final ByteBuffer PHOTO = ByteBuffer.wrap(new byte[9]);

  private final Engine engine = TestEngines.of("strategy: manx", () -> 7);
  // No oracle has seen a key of this hash, so its size is that of the small keys.
  private final long small = engine.strategy().sizeBytes(null, 77);

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private void write(String cql, Object... values) {
    CQLStatement write = QueryProcessor.parseStatement(cql).prepare(ClientState.forInternalCalls());
    for (int id = 0; id < WRITES; id++) {
      ByteBuffer[] bound = new ByteBuffer[values.length];
      for (int i = 0; i < bound.length; i++) {
        bound[i] =
            "id".equals(values[i]) ? Int32Type.instance.decompose(id) : (ByteBuffer) values[i];
      }
      WrittenSizes.learn(engine, write, TestSchema.options(-1, bound));
    }
  }

  private void taughtNothing() {
    assertThat(learned()).isZero();
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
    assertThat(engine.strategy().sizeBytes(null, 77)).isEqualTo(small);
  }

  private long learned() {
    return engine.counters().get(Counter.SIZES_LEARNED_FROM_WRITES);
  }

  @Test
  void aDeleteTeachesNothing() {
    write("DELETE FROM ks.users WHERE id = ?", "id");
    write("DELETE name FROM ks.users WHERE id = ?", "id");
    write("UPDATE ks.users SET name = ?, photo = ?, age = ? WHERE id = ?", null, null, null, "id");
    taughtNothing();
  }

  /** Otherwise counters or flags in wide rows would make all keys look small. */
  @Test
  void anUpdateOfSomeColumnsTeachesNothing() {
    write("UPDATE ks.users SET name = ? WHERE id = ?", NAME, "id");
    write("INSERT INTO ks.users (id, name) VALUES (?, ?)", "id", NAME);
    write("INSERT INTO ks.users (id, name, photo) VALUES (?, ?, 0x00)", "id", NAME);
    write(INSERT, "id", NAME, ByteBufferUtil.UNSET_BYTE_BUFFER);
    taughtNothing();
  }

  @Test
  void aWriteOfAllColumnsThatCountTeaches() {
    write(INSERT, "id", NAME, PHOTO);
    assertThat(learned()).isPositive();
    assertThat(engine.strategy().sizeBytes(null, 77)).isLessThan(small);
  }

  /** Its client waits, and the oracle keeps only the mean of small sizes. */
  @Test
  void theKeyOfASmallWriteIsNotHashed() {
    // Its partitioner refuses every key.
    write("INSERT INTO ks.tokenless_users (id, name) VALUES (?, ?)", "id", NAME);
    assertThat(learned()).isPositive();
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
    assertThat(engine.strategy().sizeBytes(null, 77)).isLessThan(small);
  }

  /** However little of the row it writes. */
  @Test
  void aLargeWriteTeaches() {
    write("UPDATE ks.users SET name = ? WHERE id = ?", ByteBuffer.allocate(100 << 10), "id");
    assertThat(learned()).isEqualTo(WRITES);
  }
}
