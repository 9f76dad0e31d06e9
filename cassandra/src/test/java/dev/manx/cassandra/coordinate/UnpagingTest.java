/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnpagingTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static QueryOptions page(int size) {
    return TestSchema.options(size, TestSchema.list(1, 9));
  }

  /** Cassandra reads them in parallel by itself, so there is no paging to remove. */
  @Test
  void keysWithALimitOfOnePageKeepTheirPageSize() {
    SelectStatement limited = TestSchema.select("SELECT * FROM ks.plain WHERE k IN ? LIMIT 100");
    for (int pageSize : new int[] {100, 5_000}) {
      assertThat(Plannable.isParallel(limited, page(pageSize))).isTrue();
      assertThat(Plannable.isParallelMultiget(limited, page(pageSize))).isTrue();
      assertThat(Unpaging.isSafe(limited, page(pageSize), 9))
          .as("a page of %s", pageSize)
          .isFalse();
    }
    assertThat(Plannable.isParallel(limited, page(99))).isFalse();
    assertThat(Unpaging.isSafe(limited, page(99), 9)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.plain WHERE k IN ?",
        "SELECT * FROM ks.plain WHERE k IN ? PER PARTITION LIMIT 1"
      })
  void keysWithoutSuchALimitAreReadOneAfterAnotherByStock(String cql) {
    SelectStatement select = TestSchema.select(cql);
    assertThat(Plannable.isParallel(select, page(100))).isFalse();
    assertThat(Unpaging.isSafe(select, page(100), 9)).isTrue();
    assertThat(Unpaging.isSafe(select, page(8), 9)).as("more keys than a page").isFalse();
  }

  /** Cassandra refuses such a statement; that is no fault of Manx. */
  @Test
  void aMultigetWithAnInvalidLimitIsNotParallel() {
    SelectStatement limited = TestSchema.select("SELECT * FROM ks.plain WHERE k IN ? LIMIT ?");
    assertThat(Plannable.isParallelMultiget(limited, page(100))).isFalse();
    SelectStatement single = TestSchema.select("SELECT * FROM ks.plain WHERE k = 1");
    assertThat(Plannable.isParallelMultiget(single, page(-1))).as("of one key").isFalse();
  }
}
