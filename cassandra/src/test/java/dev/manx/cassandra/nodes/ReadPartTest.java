/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.wire.SizeLearner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.SinglePartitionReadQuery;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes of some columns of a partition are not those of others. */
class ReadPartTest {
  private static final String OF_USER = " FROM ks.users WHERE id = 1";
  private static final String OF_ROW = " FROM ks.many WHERE k = 1 AND c = 2";

  @BeforeAll
  static void schema() {
    TestSchema.load();
  }

  private static SinglePartitionReadCommand command(String cql, QueryOptions options) {
    SinglePartitionReadQuery.Group<?> group =
        (SinglePartitionReadQuery.Group<?>) TestSchema.select(cql).getQuery(options, 1_000);
    return (SinglePartitionReadCommand) group.queries.get(0);
  }

  /** A command as another node receives it. */
  private static SinglePartitionReadCommand received(SinglePartitionReadCommand sent)
      throws IOException {
    int version = MessagingService.current_version;
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      ColumnFilter.serializer.serialize(sent.columnFilter(), out, version);
      try (DataInputBuffer in = new DataInputBuffer(out.buffer(), false)) {
        return SinglePartitionReadCommand.create(
            sent.metadata(),
            1_000,
            ColumnFilter.serializer.deserialize(in, version, sent.metadata()),
            sent.rowFilter(),
            sent.limits(),
            sent.partitionKey(),
            sent.clusteringIndexFilter());
      }
    }
  }

  private static long part(String cql, ByteBuffer... values) {
    return ReadPart.of(TestSchema.select(cql), TestSchema.options(-1, values), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "id",
        "name",
        "photo",
        "name, id",
        "photo, name",
        "name AS n, name",
        "age, name, photo",
        "JSON *",
        "JSON id, name",
        "writetime(photo)",
        "name, ttl(age)",
        "blob_as_text(photo)",
        "token(id), name",
        "count(*)",
        "count(photo)",
        "max(age)",
        "CAST(age AS text)",
        "(int) 3",
        "(photo, age)",
      })
  void coordinatorAndReplicaSeeTheSamePart(String columns) throws IOException {
    isSame("SELECT " + columns + OF_USER);
    isSame("SELECT " + columns + " FROM ks.users WHERE id = 1 AND name = 'a' ALLOW FILTERING");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "k, c",
        "n",
        "t",
        "s, t",
        "i, t",
        "m",
        "m['a']",
        "m['a'..'b'], t",
        "writetime(m['a'])",
        "f, v",
        "t, b, m, f, v, s",
        "n, t, b, m, f, v, s, i",
      })
  void ofRowsAndCollectionsToo(String columns) throws IOException {
    isSame("SELECT " + columns + OF_ROW);
    isSame("SELECT " + columns + " FROM ks.many WHERE k = 1");
    isSame("SELECT " + columns + " FROM ks.many WHERE k IN (1, 2) AND c = 1 ORDER BY c DESC");
    isSame("SELECT " + columns + " FROM ks.many WHERE k = 1 AND b = 0x00 ALLOW FILTERING");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT k FROM ks.many WHERE k IN (1, 2)",
        "SELECT DISTINCT k, s FROM ks.many WHERE k IN (1, 2)",
        "SELECT s FROM ks.many WHERE k = 1",
        "SELECT i FROM ks.many WHERE k = 1",
        "SELECT m[?] FROM ks.many WHERE k = 1",
      })
  void ofOtherStatementsToo(String cql) throws IOException {
    isSame(cql, UTF8Type.instance.decompose("a"));
  }

  private static void isSame(String cql, ByteBuffer... values) throws IOException {
    int markers = TestSchema.select(cql).getBindVariables().size();
    QueryOptions options = TestSchema.options(-1, Arrays.copyOf(values, markers));
    SelectStatement select = TestSchema.select(cql);
    SinglePartitionReadCommand sent = command(cql, options);
    long part = ReadPart.of(select, options, false);
    assertThat(ReadPart.of(sent)).as("%s here", cql).isEqualTo(part);
    assertThat(ReadPart.of(received(sent))).as("%s at a replica", cql).isEqualTo(part);
  }

  /** Otherwise sizes learnt from writes would count for {@code SELECT *} only. */
  @Test
  void statementsThatLeaveOutOnlySmallColumnsReadAll() {
    assertThat(part("SELECT *" + OF_USER)).isEqualTo(ReadPart.WHOLE);
    assertThat(part("SELECT photo, name, age" + OF_USER)).isEqualTo(ReadPart.WHOLE);
    assertThat(part("SELECT photo, name" + OF_USER)).as("without int").isEqualTo(ReadPart.WHOLE);
    assertThat(part("SELECT s, v, f, m, b, t" + OF_ROW))
        .isEqualTo(part("SELECT *" + OF_ROW))
        .isEqualTo(ReadPart.ofWrite(TestSchema.select("SELECT *" + OF_ROW).table));
    assertThat(part("SELECT age" + OF_USER)).as("a row without text").isNotEqualTo(ReadPart.WHOLE);
    assertThat(part("SELECT id" + OF_USER)).as("Cassandra sends all").isEqualTo(ReadPart.WHOLE);
  }

  @Test
  void eachPartHasADifferentHash() {
    String[] parts = {
      "SELECT *" + OF_ROW,
      "SELECT n" + OF_ROW,
      "SELECT t" + OF_ROW,
      "SELECT b" + OF_ROW,
      "SELECT t, b" + OF_ROW,
      "SELECT s, n" + OF_ROW,
      "SELECT v" + OF_ROW,
      "SELECT m" + OF_ROW,
      "SELECT * FROM ks.many WHERE k = 1",
      "SELECT n FROM ks.many WHERE k = 1",
      "SELECT s FROM ks.many WHERE k = 1",
      "SELECT t FROM ks.many WHERE k = 1",
      "SELECT * FROM ks.many WHERE k = 1 AND c > 2",
      "SELECT t FROM ks.many WHERE k = 1 AND c > 2",
      "SELECT * FROM ks.many WHERE k = 1 LIMIT 1",
      "SELECT t FROM ks.many WHERE k = 1 LIMIT 1",
    };
    Set<Long> hashes = new HashSet<>();
    for (String cql : parts) {
      hashes.add(hash(cql));
    }
    assertThat(hashes).hasSize(parts.length);
    assertThat(hash("SELECT b, t" + OF_ROW)).isEqualTo(hash("SELECT t, b, n" + OF_ROW));
  }

  private static long hash(String cql) {
    SinglePartitionReadCommand read = command(cql, TestSchema.options(-1));
    return KeyHash.of(
        read.metadata(),
        read.partitionKey().getToken(),
        read.partitionKey().getKey(),
        ReadPart.of(read));
  }

  /** Otherwise reads of a name would rank as large for hours because of a photo. */
  @Test
  void aLargeColumnDoesNotMakeReadsOfTheOthersLarge() {
    Engine engine = TestEngines.of("strategy: manx", () -> 7);
    SizeLearner.learn(engine, null, hash("SELECT *" + OF_USER), 100 << 10);
    assertThat(isLarge(engine, "*")).isTrue();
    assertThat(isLarge(engine, "photo, name")).isTrue();
    assertThat(isLarge(engine, "id")).as("Cassandra sends all columns").isTrue();
    assertThat(isLarge(engine, "name")).isFalse();
    assertThat(isLarge(engine, "photo")).as("not read yet").isFalse();
    SizeLearner.learn(engine, null, hash("SELECT photo" + OF_USER), 100 << 10);
    assertThat(isLarge(engine, "photo, age")).isTrue();
    assertThat(isLarge(engine, "name")).isFalse();
  }

  private static boolean isLarge(Engine engine, String columns) {
    return engine.strategy().isLarge(null, hash("SELECT " + columns + OF_USER));
  }
}
