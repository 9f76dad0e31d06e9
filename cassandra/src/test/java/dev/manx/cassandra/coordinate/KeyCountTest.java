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
    return KeyCount.atMost(TestSchema.select("SELECT * FROM ks." + where), options, true);
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
  }

  @Test
  void oneListInTheTextIsAsLongAsTheText() {
    assertThat(count("plain WHERE k IN (1, 2)")).isEqualTo(KeyCount.AS_WRITTEN);
    assertThat(count("plain WHERE k IN (?, 2)", ONE)).isEqualTo(KeyCount.AS_WRITTEN);
    assertThat(count("pair WHERE a = 1 AND b IN (1, 2)")).isEqualTo(KeyCount.AS_WRITTEN);
  }

  @Test
  void aProductWithListsInTheTextMayBeAnyNumber() {
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
      assertThat(count("plain WHERE k IN ?", bad)).isEqualTo(KeyCount.AS_WRITTEN);
    }
  }

  @Test
  void aListThatGivesNoKeysIsNotCountedWhateverItsName() {
    ByteBuffer two = TestSchema.list(1, 2);
    assertThat(count("listed WHERE k IN (1, 2, 3, 4) AND c = :\"in(k)\"", two))
        .isEqualTo(KeyCount.AS_WRITTEN);
    assertThat(count("listed WHERE k IN (7, ?) AND c = :\"in(k)\"", ONE, two))
        .isEqualTo(KeyCount.AS_WRITTEN);
    SelectStatement selected =
        TestSchema.select("SELECT (list<int>) :\"in(k)\" FROM ks.plain WHERE k IN (1, 2, 3)");
    assertThat(KeyCount.atMost(selected, TestSchema.options(-1, two), true))
        .isEqualTo(KeyCount.AS_WRITTEN);
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
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, one, one), true))
        .isEqualTo(Integer.MAX_VALUE);
  }

  /** As with all others, it would take as long to find out as to evaluate the keys. */
  @Test
  void aStatementThatIsNotPreparedIsNotAskedAbout() {
    SelectStatement one = TestSchema.select("SELECT * FROM ks.plain WHERE k IN ?");
    QueryOptions options = TestSchema.options(-1, TestSchema.list(1, 9));
    assertThat(KeyCount.atMost(one, options, false)).isEqualTo(KeyCount.AS_WRITTEN);
    SelectStatement two = TestSchema.select("SELECT * FROM ks.pair WHERE a IN ? AND b IN ?");
    QueryOptions both = TestSchema.options(-1, TestSchema.list(1, 2), TestSchema.list(1, 2));
    assertThat(KeyCount.atMost(two, both, false)).isEqualTo(Integer.MAX_VALUE);
  }

  /** The first values that come may be of no use. */
  @Test
  void aCountThatIsNotKnownYetIsAskedForAgain() {
    SelectStatement select = TestSchema.select("SELECT * FROM ks.pair WHERE a = ? AND b IN ?");
    ByteBuffer keys = TestSchema.list(1, 9);
    ByteBuffer wrong = ByteBufferUtil.bytes("no number");
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, wrong, keys), true))
        .isEqualTo(KeyCount.AS_WRITTEN);
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, ONE, TestSchema.list(1, 0)), true))
        .isEqualTo(KeyCount.AS_WRITTEN);
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, ONE, keys), true)).isEqualTo(9);
    assertThat(KeyCount.atMost(select, TestSchema.options(-1, ONE, TestSchema.list(1, 0)), true))
        .isZero();
  }
}
