/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import java.nio.ByteBuffer;

/**
 * The table that requests read: key {@code k}, value {@code v} and, if background work reads an
 * index, the indexed column {@code b}. Any thread, once created.
 */
public final class KvTable {
  private final CassandraSession session;
  private final KeySpace keySpace;
  private final int buckets;
  private volatile PreparedStatement insert;

  /**
   * The table of a session.
   *
   * @param buckets values of the indexed column; 0 for a table without it
   */
  public KvTable(CassandraSession session, KeySpace keySpace, int buckets) {
    this.session = session;
    this.keySpace = keySpace;
    this.buckets = buckets;
  }

  /** Its session. */
  public CassandraSession session() {
    return session;
  }

  /** Its keys. */
  public KeySpace keySpace() {
    return keySpace;
  }

  /**
   * Creates missing keyspace, table and index.
   *
   * @param replication the replication map as CQL, for example {@code {'class':'SimpleStrategy',
   *     'replication_factor':3}}
   * @param tableOptions options after {@code WITH} in CREATE TABLE, or empty
   */
  public void create(String replication, String tableOptions) {
    CassandraSettings names = session.settings();
    patient(
        "CREATE KEYSPACE IF NOT EXISTS " + names.keyspace() + " WITH replication = " + replication);
    String with = tableOptions.isBlank() ? "" : " WITH " + tableOptions;
    patient(
        "CREATE TABLE IF NOT EXISTS "
            + names.qualifiedTable()
            + " (k text PRIMARY KEY, v blob"
            + (buckets > 0 ? ", b int" : "")
            + ")"
            + with);
    if (buckets > 0) {
      patient("CREATE INDEX IF NOT EXISTS ON " + names.qualifiedTable() + " (b) USING 'sai'");
    }
  }

  /**
   * Changes an option of the table; returns once all nodes have it.
   *
   * @param option as in {@code ALTER TABLE ... WITH}
   */
  public void option(String option) {
    patient("ALTER TABLE " + session.settings().qualifiedTable() + " WITH " + option);
  }

  /** The indexed value of a key. */
  int bucket(int id) {
    return id % buckets;
  }

  /** Number of keys with an indexed value. */
  int keysInBucket(int bucket) {
    return (keySpace.keys() - bucket + buckets - 1) / buckets;
  }

  /** The statement that writes a key's value at a version. */
  BoundStatement row(int id, long version) {
    if (insert == null) {
      insert = session.driver().prepare(insertCql());
    }
    String key = keySpace.key(id);
    BoundStatement bound =
        insert.bind().setString("k", key).setByteBuffer("v", value(key, id, version));
    return buckets > 0 ? bound.setInt("b", bucket(id)) : bound;
  }

  private ByteBuffer value(String key, int id, long version) {
    return CheckedValues.encode(key, version, keySpace.valueBytes(id));
  }

  private String insertCql() {
    String table = session.settings().qualifiedTable();
    return buckets > 0
        ? "INSERT INTO " + table + " (k, v, b) VALUES (:k, :v, :b)"
        : "INSERT INTO " + table + " (k, v) VALUES (:k, :v)";
  }

  private void patient(String cql) {
    session
        .driver()
        .execute(SimpleStatement.newInstance(cql).setExecutionProfileName(DriverConfig.PATIENT));
  }
}
