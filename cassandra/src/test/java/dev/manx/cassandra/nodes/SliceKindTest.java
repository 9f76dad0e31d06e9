/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cassandra's commands for a statement are of the kind that the coordinator derived. */
class SliceKindTest {
  @BeforeAll
  static void schema() {
    TestSchema.load();
  }

  private static SinglePartitionReadCommand command(SelectStatement select, int pageSize) {
    SinglePartitionReadQuery.Group<?> group =
        (SinglePartitionReadQuery.Group<?>) select.getQuery(TestSchema.options(pageSize), 1_000);
    SinglePartitionReadCommand command = (SinglePartitionReadCommand) group.queries.get(0);
    return pageSize <= 0
        ? command
        : SinglePartitionReadCommand.create(
            command.metadata(),
            1_000,
            command.columnFilter(),
            command.rowFilter(),
            // As pagers do.
            command.limits().forPaging(Math.min(pageSize, command.limits().count())),
            command.partitionKey(),
            command.clusteringIndexFilter());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT * FROM ks.plain WHERE k = 1                             |    -1 | PARTITION
          SELECT * FROM ks.plain WHERE k IN (1, 2) LIMIT 1               |    10 | PARTITION
          SELECT * FROM ks.wide WHERE k = 1                              |    -1 | PARTITION
          SELECT * FROM ks.wide WHERE k = 1                              |  5000 | PARTITION
          SELECT * FROM ks.wide WHERE k = 1                              |    20 | HEAD
          SELECT * FROM ks.wide WHERE k = 1 LIMIT 10                     |  5000 | HEAD
          SELECT * FROM ks.wide WHERE k = 1 ORDER BY a DESC LIMIT 1      |    -1 | HEAD
          SELECT * FROM ks.wide WHERE k = 1 LIMIT 1000                   |    -1 | PARTITION
          SELECT * FROM ks.wide WHERE k IN (1, 2) PER PARTITION LIMIT 2  |    -1 | HEAD
          SELECT DISTINCT k, s FROM ks.wide WHERE k IN (1, 2)            |  5000 | HEAD
          SELECT * FROM ks.wide WHERE k = 1 AND a = 2                    |    -1 | SLICE
          SELECT * FROM ks.wide WHERE k = 1 AND a > 2                    |  5000 | SLICE
          SELECT * FROM ks.wide WHERE k = 1 AND a = 2 AND b < 5          |    -1 | SLICE
          SELECT * FROM ks.wide WHERE k = 1 AND a > 2 LIMIT 3            |  5000 | HEAD
          SELECT * FROM ks.wide WHERE k = 1 AND a = 2 AND b = 3          |    -1 | ROWS
          SELECT * FROM ks.wide WHERE k = 1 AND a = 2 AND b IN (3, 4)    |    20 | ROWS
          SELECT v FROM ks.wide WHERE k IN (1, 2) AND a = 2 AND b = 3    |  5000 | ROWS
          """)
  void coordinatorAndReplicaSeeTheSameKind(String cql, int pageSize, SliceKind kind) {
    SelectStatement select = TestSchema.select(cql);
    assertThat(SliceKind.of(select, TestSchema.options(pageSize), true)).isEqualTo(kind);
    assertThat(SliceKind.of(command(select, pageSize))).isEqualTo(kind);
  }

  @Test
  void aPageSizeDoesNotCountIfPagingIsRemoved() {
    SelectStatement select = TestSchema.select("SELECT * FROM ks.wide WHERE k IN (1, 2)");
    assertThat(SliceKind.of(select, TestSchema.options(20), true)).isEqualTo(SliceKind.HEAD);
    assertThat(SliceKind.of(select, TestSchema.options(20), false)).isEqualTo(SliceKind.PARTITION);
  }
}
