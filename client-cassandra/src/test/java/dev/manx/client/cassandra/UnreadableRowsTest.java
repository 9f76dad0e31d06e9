/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.QueryResults;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row that cannot be converted, among others of the same read. */
@Timeout(60)
class UnreadableRowsTest {
  private static final IllegalArgumentException UNREADABLE =
      new IllegalArgumentException("unreadable");

  /** Answers every read with these rows, as one page. */
  private static CqlSession session(Integer... ids) {
    AsyncResultSet page = FakeTable.page(List.of(ids), null);
    return FakeTable.session(read -> CompletableFuture.completedFuture(page));
  }

  private static String title(Row row) {
    String title = row.getString("title");
    if (title.equals("title 2")) {
      throw UNREADABLE;
    }
    return title;
  }

  private static void failsAlone(TableLoader<Integer, String> loader) throws Exception {
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().open()) {
      Backend<Integer, String> backend =
          cache.add(BackendSpec.<Integer, String>of("songs", (k, v) -> 10, loader));
      QueryResults<Integer, String> results =
          cache.request().queryEach(backend, List.of(1, 2, 3)).get(20, TimeUnit.SECONDS);
      assertThat(results.found()).containsExactly(Map.entry(1, "title 1"));
      assertThat(results.failed()).containsExactly(Map.entry(2, UNREADABLE));
    }
  }

  @Test
  void failsAlone() throws Exception {
    failsAlone(
        new TableLoader<>(
            session(1, 2), "music.songs", "id", Integer.class, UnreadableRowsTest::title));
  }

  @Test
  void aPartitionFailsAlone() throws Exception {
    failsAlone(
        TableLoader.ofRows(
            session(1, 2), "music.songs", "id", Integer.class, rows -> title(rows.get(0))));
  }
}
