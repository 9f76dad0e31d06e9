/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import java.util.concurrent.CompletionStage;

/** Fills the table with writes acknowledged by all replicas. Blocking; one thread at a time. */
public final class DataLoader {
  /** Receives the number of keys written so far and the total at intervals. */
  @FunctionalInterface
  public interface Progress {
    /** Receives the numbers, on the loading thread. */
    void accept(int done, int total);
  }

  private static final int PROGRESS_KEYS = 500;

  private final KvTable table;
  private final CassandraSession session;
  private final KeySpace keySpace;

  /** Loads a table with its key space. */
  public DataLoader(KvTable table) {
    this.table = table;
    this.session = table.session();
    this.keySpace = table.keySpace();
  }

  /**
   * Writes every key at a version.
   *
   * @param concurrency concurrent writes
   * @param triesPerKey tries per key before the load fails, with a doubling pause in between
   */
  public void load(long version, int concurrency, int triesPerKey, Progress progress)
      throws InterruptedException {
    BoundedWrites writes = new BoundedWrites(concurrency, triesPerKey, id -> write(id, version));
    for (int id = 0; id < keySpace.keys(); id++) {
      writes.start(id);
      if (id % PROGRESS_KEYS == 0) {
        progress.accept(writes.done(), keySpace.keys());
      }
    }
    writes.finish();
    progress.accept(keySpace.keys(), keySpace.keys());
  }

  private CompletionStage<AsyncResultSet> write(int id, long version) {
    BoundStatement statement =
        table
            .row(id, version)
            .setConsistencyLevel(ConsistencyLevel.ALL)
            .setIdempotent(true)
            .setExecutionProfileName(DriverConfig.PATIENT);
    return session.driver().executeAsync(statement);
  }

  /**
   * Reads evenly spaced keys from all replicas and checks their values.
   *
   * @return number of wrong or missing keys; 0 is expected
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
              && CheckedValues.verify(key, row.getByteBuffer(0)) == CheckedValues.Verdict.OK;
      bad += good ? 0 : 1;
    }
    return bad;
  }
}
