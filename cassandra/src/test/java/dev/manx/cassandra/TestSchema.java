/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.OrderPreservingPartitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy;
import org.apache.cassandra.transport.ProtocolVersion;

/**
 * Tables without a node: {@code ks.plain}; {@code ks.twice}, whose reads are always sent twice;
 * {@code ks.altered}, for tests that change its option; {@code ks.wide}, with clustering and a
 * static; {@code ks.users} and {@code ks.many}, with small and large columns; {@code ks.pair}, with
 * a key of two columns; {@code ks.listed}, with a list as clustering; {@code ks.timed}, with a time
 * as clustering; {@code ks.tokenless} and {@code ks.tokenless_users}, whose partitioner refuses
 * every key; and {@code system_auth.roles}.
 */
public final class TestSchema {
  private static final String AUTH = SchemaConstants.AUTH_KEYSPACE_NAME;

  private TestSchema() {}

  /**
   * Initializes Cassandra's classes as a client's and adds the tables; a second call has no effect.
   */
  public static void load() {
    DatabaseDescriptor.clientInitialization(false);
    TestGuardrails.none();
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    Tables tables =
        Tables.of(
            table("CREATE TABLE plain (k int PRIMARY KEY, v text)"),
            table("CREATE TABLE twice (k int PRIMARY KEY) WITH speculative_retry = 'ALWAYS'"),
            table("CREATE TABLE timed (k int, c timeuuid, v text, PRIMARY KEY (k, c))"),
            table("CREATE TABLE altered (k int PRIMARY KEY)"),
            table("CREATE TABLE listed (k int, c frozen<list<int>>, PRIMARY KEY (k, c))"),
            table("CREATE TABLE pair (a int, b int, v text, PRIMARY KEY ((a, b)))"),
            table("CREATE TABLE users (id int PRIMARY KEY, name text, photo blob, age int)"),
            table(
                "CREATE TABLE many (k int, c int, n int, t text, b blob, m map<text, text>,"
                    + " f frozen<list<int>>, v vector<float, 64>, s text static, i int static,"
                    + " PRIMARY KEY (k, c))"),
            tokenless("CREATE TABLE tokenless (k int PRIMARY KEY)"),
            tokenless("CREATE TABLE tokenless_users (id int PRIMARY KEY, name text)"),
            table(
                "CREATE TABLE wide (k int, a int, b int, v text, s text static,"
                    + " PRIMARY KEY (k, a, b))"));
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create("ks", KeyspaceParams.simple(1), tables), true));
    Tables roles =
        Tables.of(
            CreateTableStatement.parse(
                    "CREATE TABLE roles (role text PRIMARY KEY, salted_hash text)", AUTH)
                .partitioner(Murmur3Partitioner.instance)
                .build());
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create(AUTH, KeyspaceParams.simple(1), roles), true));
  }

  private static final class Refusing extends OrderPreservingPartitioner {
    @Override
    public StringToken getToken(ByteBuffer key) {
      throw new IllegalArgumentException("no key of this partitioner");
    }
  }

  private static TableMetadata tokenless(String cql) {
    return CreateTableStatement.parse(cql, "ks").partitioner(new Refusing()).build();
  }

  private static TableMetadata table(String cql) {
    return CreateTableStatement.parse(cql, "ks").partitioner(Murmur3Partitioner.instance).build();
  }

  /** A prepared SELECT. */
  public static SelectStatement select(String cql) {
    return (SelectStatement)
        QueryProcessor.parseStatement(cql).prepare(ClientState.forInternalCalls());
  }

  /** A table {@code ks.of_TYPE} with a key {@code k} of that type. */
  public static void keyed(String type) {
    Schema.instance.transform(
        schema -> {
          KeyspaceMetadata ks = schema.getNullable("ks");
          TableMetadata table = table("CREATE TABLE of_" + type + " (k " + type + " PRIMARY KEY)");
          return ks.getTableNullable(table.name) != null
              ? schema
              : schema.withAddedOrUpdated(ks.withSwapped(ks.tables.with(table)));
        });
  }

  /** Changes a table's option; commands created before keep the earlier one. */
  public static void speculates(String table, String retry) {
    Schema.instance.transform(
        schema -> {
          KeyspaceMetadata ks = schema.getNullable("ks");
          TableMetadata changed =
              ks.getTableNullable(table)
                  .unbuild()
                  .speculativeRetry(SpeculativeRetryPolicy.fromString(retry))
                  .build();
          return schema.withAddedOrUpdated(ks.withSwapped(ks.tables.withSwapped(changed)));
        });
  }

  /** A list of numbers, as bound to {@code IN ?}. */
  public static ByteBuffer list(int first, int count) {
    List<Integer> numbers = IntStream.range(first, first + count).boxed().toList();
    return ListType.getInstance(Int32Type.instance, false).decompose(numbers);
  }

  /** Options at ONE, with a page size or -1, and values. */
  public static QueryOptions options(int pageSize, ByteBuffer... values) {
    return QueryOptions.create(
        ConsistencyLevel.ONE,
        // One may be null.
        Arrays.asList(values),
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
