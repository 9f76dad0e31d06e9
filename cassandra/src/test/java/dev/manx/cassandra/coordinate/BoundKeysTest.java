/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a bound list are those that Cassandra evaluates, or none. */
@Timeout(60)
class BoundKeysTest {
  private static final int LISTS = 5_000;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static byte[] element(Random random, String type) {
    int length =
        switch (type) {
          case "int" -> 4;
          case "bigint", "timestamp" -> 8;
          case "uuid", "timeuuid" -> 16;
          default -> 1 + random.nextInt(6);
        };
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    if (type.equals("text") || type.equals("ascii")) {
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) ('a' + (bytes[i] & 7));
      }
    }
    if (type.endsWith("uuid")) {
      bytes[6] = (byte) (bytes[6] & 15 | (type.equals("uuid") ? 0x40 : 0x10));
      bytes[8] = (byte) (bytes[8] & 63 | 0x80);
    }
    return bytes;
  }

  private static ByteBuffer list(Random random, String type) {
    int count = random.nextInt(12);
    ByteBuffer list = ByteBuffer.allocate(4 + 24 * count);
    list.putInt(count);
    byte[] element = null;
    for (int i = 0; i < count; i++) {
      element = i > 0 && random.nextInt(4) == 0 ? element : element(random, type);
      list.putInt(element.length).put(element);
    }
    list.flip();
    return list;
  }

  /** The keys of a list; null if it is refused. */
  private static List<ByteBuffer> of(Supplier<List<ByteBuffer>> keys) {
    try {
      return keys.get();
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static SelectStatement select(String type) {
    TestSchema.keyed(type);
    return TestSchema.select("SELECT * FROM ks.of_" + type + " WHERE k IN ?");
  }

  private static List<ByteBuffer> cassandras(SelectStatement select, QueryOptions options) {
    return of(
        () -> select.getRestrictions().getPartitionKeys(options, ClientState.forInternalCalls()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"int", "bigint", "timestamp", "uuid", "timeuuid", "text", "ascii", "blob"})
  void keysAreThoseThatCassandraEvaluates(String type) {
    SelectStatement select = select(type);
    Random random = new Random(7);
    int shorter = 0;
    for (int i = 0; i < LISTS; i++) {
      ByteBuffer list = list(random, type);
      QueryOptions options = TestSchema.options(-1, list);
      List<ByteBuffer> keys = BoundKeys.of(select, options);
      assertThat(keys).isEqualTo(cassandras(select, options));
      shorter += keys.size() < list.getInt(0) ? 1 : 0;
    }
    assertThat(shorter).as("lists with a repetition").isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"int", "bigint", "timestamp", "uuid", "timeuuid", "text", "ascii", "blob"})
  void statementsThatCassandraRejectsHaveNoKeys(String type) {
    SelectStatement select = select(type);
    Random random = new Random(8);
    int refused = 0;
    for (int i = 0; i < LISTS; i++) {
      ByteBuffer list = list(random, type);
      byte[] bytes = ByteBufferUtil.getArray(list);
      for (int change = 0; change < 2; change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length + 1);
      QueryOptions options = TestSchema.options(-1, ByteBuffer.wrap(bytes, 0, length).slice());
      List<ByteBuffer> cassandras = cassandras(select, options);
      List<ByteBuffer> keys = of(() -> BoundKeys.of(select, options));
      if (cassandras == null) {
        refused++;
        assertThat(keys).as("list %s", ByteBufferUtil.bytesToHex(ByteBuffer.wrap(bytes))).isNull();
      } else if (keys != null) {
        assertThat(keys).isEqualTo(cassandras);
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void otherStatementsAreLeftToCassandra() {
    List<ByteBuffer> lists = new ArrayList<>(List.of(TestSchema.list(1, 2)));
    for (String where :
        List.of(
            "plain WHERE k IN (1, 2)",
            "plain WHERE k = 1",
            "plain WHERE k IN ? AND token(k) > 0",
            "listed WHERE k IN (1, 2, 3) AND c = :\"in(k)\"")) {
      SelectStatement select = TestSchema.select("SELECT * FROM ks." + where);
      assertThat(BoundKeys.of(select, TestSchema.options(-1, lists.get(0)))).as(where).isNull();
    }
    SelectStatement pair = TestSchema.select("SELECT * FROM ks.pair WHERE a IN ? AND b IN ?");
    lists.add(lists.get(0));
    assertThat(BoundKeys.of(pair, TestSchema.options(-1, lists.get(0), lists.get(1)))).isNull();
  }

  /** Otherwise a plan of keys that Cassandra does not read would be searched for each read. */
  @Test
  void aListInTheSelectClauseHasNoKeys() {
    SelectStatement select =
        TestSchema.select("SELECT (list<int>) :\"in(k)\" FROM ks.plain WHERE k IN (1, 2)");
    assertThat(BoundKeys.of(select, TestSchema.options(-1, TestSchema.list(100, 9)))).isNull();
  }

  @Test
  void namesOfMarkersDoNotMatter() {
    SelectStatement select =
        TestSchema.select("SELECT * FROM ks.listed WHERE c = :\"in(k)\" AND k IN :keys");
    QueryOptions options = TestSchema.options(-1, TestSchema.list(7, 2), TestSchema.list(1, 3));
    assertThat(BoundKeys.of(select, options)).isEqualTo(cassandras(select, options));
  }
}
