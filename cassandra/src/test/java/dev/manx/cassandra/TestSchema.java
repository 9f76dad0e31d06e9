/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadQuery;
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

/**
 * Two tables without a node: {@code ks.plain} and {@code ks.wide}, with clustering and a static.
 */
public final class TestSchema {
  private TestSchema() {}

  /** Sets Cassandra's classes up as a client's and adds the tables; again does nothing. */
  public static void load() {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    Tables tables =
        Tables.of(
            table("CREATE TABLE plain (k int PRIMARY KEY, v text)"),
            table(
                "CREATE TABLE wide (k int, a int, b int, v text, s text static,"
                    + " PRIMARY KEY (k, a, b))"));
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create("ks", KeyspaceParams.simple(1), tables), true));
  }

  private static TableMetadata table(String cql) {
    return CreateTableStatement.parse(cql, "ks").partitioner(Murmur3Partitioner.instance).build();
  }

  /** A prepared SELECT. */
  public static SelectStatement select(String cql) {
    return (SelectStatement)
        QueryProcessor.parseStatement(cql).prepare(ClientState.forInternalCalls());
  }

  /** Options at ONE, with a page size or -1. */
  public static QueryOptions options(int pageSize) {
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

  /** The first command of an unpaged SELECT. */
  public static ReadCommand command(String cql) {
    ReadQuery query = select(cql).getQuery(options(-1), 1_000);
    return query instanceof SinglePartitionReadQuery.Group
        ? (SinglePartitionReadCommand) ((SinglePartitionReadQuery.Group<?>) query).queries.get(0)
        : (ReadCommand) query;
  }
}
