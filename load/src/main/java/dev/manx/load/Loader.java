/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.workload.KeySpace;
import dev.manx.workload.Values;
import java.util.concurrent.CompletionStage;

/** Makes the table and fills it, acknowledged by all replicas. Blocking; one thread at a time. */
public final class Loader {
  /** Called now and then with keys written so far and in all. */
  @FunctionalInterface
  public interface Progress {
    /** Takes the numbers; called on the loading thread. */
    void accept(int done, int total);
  }

  private static final int PROGRESS_KEYS = 500;

  private final CassandraSession session;
  private final KeySpace keySpace;

  /** Loads this key space into the session's table. */
  public Loader(CassandraSession session, KeySpace keySpace) {
    this.session = session;
    this.keySpace = keySpace;
  }

  /**
   * Creates keyspace and table where they are missing.
   *
   * @param replication the replication map as CQL, for example {@code {'class':'SimpleStrategy',
   *     'replication_factor':3}}
   * @param tableOptions what follows {@code WITH} in CREATE TABLE, or empty
   */
  public void createSchema(String replication, String tableOptions) {
    CassandraSettings names = session.settings();
    patient(
        "CREATE KEYSPACE IF NOT EXISTS " + names.keyspace() + " WITH replication = " + replication);
    String with = tableOptions.isBlank() ? "" : " WITH " + tableOptions;
    patient(
        "CREATE TABLE IF NOT EXISTS "
            + names.qualifiedTable()
            + " (k text PRIMARY KEY, v blob)"
            + with);
  }

  /**
   * Writes every key at a version.
   *
   * @param concurrency writes under way at once
   * @param triesPerKey writes of one key before the load fails, retried after a pause that doubles
   */
  public void load(long version, int concurrency, int triesPerKey, Progress progress)
      throws InterruptedException {
    PreparedStatement insert =
        session
            .driver()
            .prepare(
                "INSERT INTO " + session.settings().qualifiedTable() + " (k, v) VALUES (?, ?)");
    BoundedWrites writes =
        new BoundedWrites(concurrency, triesPerKey, id -> write(insert, id, version));
    for (int id = 0; id < keySpace.keys(); id++) {
      writes.start(id);
      if (id % PROGRESS_KEYS == 0) {
        progress.accept(writes.done(), keySpace.keys());
      }
    }
    writes.finish();
    progress.accept(keySpace.keys(), keySpace.keys());
  }

  private CompletionStage<AsyncResultSet> write(PreparedStatement insert, int id, long version) {
    String key = keySpace.key(id);
    BoundStatement statement =
        insert
            .bind(key, Values.encode(key, version, keySpace.valueBytes(id)))
            .setConsistencyLevel(ConsistencyLevel.ALL)
            .setIdempotent(true)
            .setExecutionProfileName(DriverConfig.PATIENT);
    return session.driver().executeAsync(statement);
  }

  /**
   * Reads evenly spaced keys from all replicas and checks their values.
   *
   * @return how many of them are wrong or missing; 0 is what is wanted
   */
  public int verify(int sample) {
    PreparedStatement select =
        session
            .driver()
            .prepare("SELECT v FROM " + session.settings().qualifiedTable() + " WHERE k = ?");
    int checked = Math.min(sample, keySpace.keys());
    int bad = 0;
    for (int i = 0; i < checked; i++) {
      String key = keySpace.key((int) ((long) i * keySpace.keys() / checked));
      Row row =
          session
              .driver()
              .execute(
                  select
                      .bind(key)
                      .setConsistencyLevel(ConsistencyLevel.ALL)
                      .setExecutionProfileName(DriverConfig.PATIENT))
              .one();
      boolean good =
          row != null
              && row.getByteBuffer(0) != null
              && Values.verify(key, row.getByteBuffer(0)) == Values.Verdict.OK;
      bad += good ? 0 : 1;
    }
    return bad;
  }

  private void patient(String cql) {
    session
        .driver()
        .execute(SimpleStatement.newInstance(cql).setExecutionProfileName(DriverConfig.PATIENT));
  }
}
