/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Cassandra makes of statements is of the kind that the coordinator took them for. */
class SliceKindTest {
  private static TableMetadata wide;

  @BeforeAll
  static void schema() {
    DatabaseDescriptor.clientInitialization();
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    wide =
        CreateTableStatement.parse(
                "CREATE TABLE wide (k int, a int, b int, v text, s text static,"
                    + " PRIMARY KEY (k, a, b))",
                "ks")
            .partitioner(Murmur3Partitioner.instance)
            .build();
    TableMetadata plain =
        CreateTableStatement.parse("CREATE TABLE plain (k int PRIMARY KEY, v text)", "ks")
            .partitioner(Murmur3Partitioner.instance)
            .build();
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create("ks", KeyspaceParams.simple(1), Tables.of(wide, plain)), true));
  }

  private static SelectStatement select(String cql) {
    CQLStatement.Raw raw = QueryProcessor.parseStatement(cql);
    return (SelectStatement) raw.prepare(ClientState.forInternalCalls());
  }

  private static QueryOptions options(int pageSize) {
    return QueryOptions.create(
        ConsistencyLevel.ONE,
        List.of(),
        false,
        pageSize,
        null,
        null,
        ProtocolVersion.CURRENT,
        null);
  }

  private static SinglePartitionReadCommand command(SelectStatement select, int pageSize) {
    SinglePartitionReadQuery.Group<?> group =
        (SinglePartitionReadQuery.Group<?>) select.getQuery(options(pageSize), 1_000);
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
    SelectStatement select = select(cql);
    assertThat(SliceKind.of(select, options(pageSize), true)).isEqualTo(kind);
    assertThat(SliceKind.of(command(select, pageSize))).isEqualTo(kind);
  }

  @Test
  void aPageSizeDoesNotCountWherePagingIsTakenOff() {
    SelectStatement select = select("SELECT * FROM ks.wide WHERE k IN (1, 2)");
    assertThat(SliceKind.of(select, options(20), true)).isEqualTo(SliceKind.HEAD);
    assertThat(SliceKind.of(select, options(20), false)).isEqualTo(SliceKind.PARTITION);
  }

  @Test
  void eachKindOfAPartitionHasAHashOfItsOwn() {
    SinglePartitionReadCommand read = command(select("SELECT * FROM ks.wide WHERE k = 1"), -1);
    Set<Long> hashes = new HashSet<>();
    for (SliceKind kind : SliceKind.values()) {
      hashes.add(
          KeyHash.of(wide, read.partitionKey().getToken(), read.partitionKey().getKey(), kind));
    }
    assertThat(hashes).hasSize(SliceKind.values().length);
  }
}
