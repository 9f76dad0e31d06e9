/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyCountTest {
  private static final ByteBuffer ONE = ByteBufferUtil.bytes(1);

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static int count(String where, ByteBuffer... values) {
    QueryOptions options = TestSchema.options(-1, values);
    return KeyCount.atMost(TestSchema.select("SELECT * FROM ks." + where), options);
  }

  @Test
  void aListThatIsBoundCountsItsElements() {
    assertThat(count("plain WHERE k = 1")).isEqualTo(1);
    assertThat(count("plain WHERE k IN ?", TestSchema.list(1, 9))).isEqualTo(9);
    assertThat(count("plain WHERE k IN :keys", TestSchema.list(1, 9))).isEqualTo(9);
    assertThat(count("pair WHERE a = 1 AND b IN ?", TestSchema.list(1, 9))).isEqualTo(9);
    assertThat(count("pair WHERE a = ? AND b = ?", ONE, ONE)).isEqualTo(1);
  }

  @Test
  void listsOfSeveralColumnsCountTheirProduct() {
    ByteBuffer many = TestSchema.list(0, 50_000);
    assertThat(count("pair WHERE a IN ? AND b IN ?", TestSchema.list(1, 9), TestSchema.list(1, 7)))
        .isEqualTo(63);
    assertThat(count("pair WHERE a IN ? AND b IN ?", many, many)).isEqualTo(Integer.MAX_VALUE);
    ByteBuffer none = TestSchema.list(1, 0);
    assertThat(count("pair WHERE a IN ? AND b IN ?", many, none)).isEqualTo(50_000);
    assertThat(count("pair WHERE a IN ? AND b IN ?", none, none)).isZero();
  }

  @Test
  void oneListInTheTextIsAsLongAsTheText() {
    assertThat(count("plain WHERE k IN (1, 2)")).isEqualTo(2);
    assertThat(count("plain WHERE k IN (?, 2)", ONE)).isEqualTo(2);
    assertThat(count("plain WHERE k IN (?, ?, ?)", ONE, ONE, null)).isEqualTo(3);
    assertThat(count("pair WHERE a = 1 AND b IN (1, 2)")).isEqualTo(2);
    assertThat(count("pair WHERE a IN (1, 2, 2) AND b = ?", ONE)).isEqualTo(3);
  }

  @Test
  void aProductWithListsInTheTextIsUnbounded() {
    assertThat(count("pair WHERE a IN (1, 2) AND b IN (1, 2)")).isEqualTo(Integer.MAX_VALUE);
    assertThat(count("pair WHERE a IN (1, 2) AND b IN ?", TestSchema.list(1, 2)))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void malformedListsAreNotCounted() {
    for (ByteBuffer bad :
        new ByteBuffer[] {
          ByteBuffer.allocate(0),
          ByteBuffer.allocate(3),
          ByteBufferUtil.bytes(-1),
          ByteBufferUtil.bytes(Integer.MAX_VALUE)
        }) {
      assertThat(count("plain WHERE k IN ?", bad)).isEqualTo(KeyCount.UNKNOWN);
    }
  }

  @Test
  void aListThatGivesNoKeysIsNotCountedWhateverItsName() {
    ByteBuffer two = TestSchema.list(1, 2);
    assertThat(count("listed WHERE k IN (1, 2, 3, 4) AND c = :\"in(k)\"", two)).isEqualTo(4);
    assertThat(count("listed WHERE k IN (7, ?, 8) AND c = :\"in(k)\"", ONE, two)).isEqualTo(3);
    SelectStatement selected =
        TestSchema.select("SELECT (list<int>) :\"in(k)\" FROM ks.plain WHERE k IN (1, 2, 3)");
    assertThat(KeyCount.atMost(selected, TestSchema.options(-1, two))).isEqualTo(3);
    assertThat(count("listed WHERE k IN :keys AND c = :\"in(k)\"", TestSchema.list(1, 9), two))
        .isEqualTo(9);
  }

  @Test
  void namesDoNotMakeAProductOfListsInTheTextSmall() {
    SelectStatement select =
        TestSchema.select(
            "SELECT (list<int>) :\"in(a)\", (list<int>) :\"in(b)\" FROM ks.pair"
                + " WHERE a IN (1, 2) AND b IN (1, 2)");
    ByteBuffer one = TestSchema.list(1, 1);
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, one, one)))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void valuesAreNotEvaluated() {
    ByteBuffer wrong = ByteBufferUtil.bytes("no number");
    assertThat(count("pair WHERE a = ? AND b IN ?", wrong, TestSchema.list(1, 9))).isEqualTo(9);
    assertThat(count("pair WHERE a = ? AND b IN ?", ONE, TestSchema.list(1, 0))).isZero();
  }

  /** Cassandra skips those whose tokens are elsewhere. */
  @Test
  void keysThatAreRestrictedByTheirTokensTooAreNotCounted() {
    assertThat(count("plain WHERE k IN ? AND token(k) > 0", TestSchema.list(1, 9)))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(count("plain WHERE k IN (1, 2) AND token(k) > 0")).isEqualTo(Integer.MAX_VALUE);
    assertThat(
            count(
                "pair WHERE a IN ? AND b IN ? AND token(a, b) > 0",
                TestSchema.list(1, 9),
                TestSchema.list(1, 9)))
        .isEqualTo(Integer.MAX_VALUE);
  }
}
