/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.QueryResults;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that fail, among others of the same load. */
@Timeout(60)
class FailedReadsTest {
  private static final IllegalStateException FAILED = new IllegalStateException("timed out");

  private static TableLoader<Integer, String> table(
      Function<List<?>, CompletionStage<AsyncResultSet>> read) {
    return new TableLoader<>(
        FakeTable.session(read), "music.songs", "id", Integer.class, FailedReadsTest::title);
  }

  private static String title(Row row) {
    return row.getString("title");
  }

  /** Answers a read unless it is of this id. */
  @SuppressWarnings("unchecked")
  private static Function<List<?>, CompletionStage<AsyncResultSet>> allBut(int id) {
    return ids ->
        ids.contains(id)
            ? CompletableFuture.failedFuture(FAILED)
            : CompletableFuture.completedFuture(FakeTable.page((List<Integer>) ids, null));
  }

  private static QueryResults<Integer, String> each(
      TableLoader<Integer, String> loader, List<Integer> ids) throws Exception {
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().open()) {
      Backend<Integer, String> backend =
          cache.add(BackendSpec.<Integer, String>of("songs", (k, v) -> 10, loader));
      return cache.request().queryEach(backend, ids).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void ofOneKeyFailThisKeyOnly() throws Exception {
    QueryResults<Integer, String> results = each(table(allBut(2)).oneByOne(), List.of(1, 2, 3));
    assertThat(results.found()).isEqualTo(Map.of(1, "title 1", 3, "title 3"));
    assertThat(results.failed()).isEqualTo(Map.of(2, FAILED));
  }

  @Test
  void ofManyKeysFailTheseKeysOnly() throws Exception {
    QueryResults<Integer, String> results =
        each(table(allBut(1_200)), IntStream.range(0, 2_500).boxed().toList());
    assertThat(results.found()).hasSize(1_500).containsKeys(0, 999, 2_000, 2_499);
    assertThat(results.failed()).hasSize(1_000).containsKeys(1_000, 1_999);
    assertThat(results.failed().values()).containsOnly(FAILED);
  }

  @Test
  void keepTheRowsOfEarlierPages() throws Exception {
    AsyncResultSet first = FakeTable.page(List.of(1, 3), CompletableFuture.failedFuture(FAILED));
    QueryResults<Integer, String> results =
        each(table(ids -> CompletableFuture.completedFuture(first)), List.of(1, 2, 3));
    assertThat(results.found()).isEqualTo(Map.of(1, "title 1", 3, "title 3"));
    assertThat(results.failed()).isEqualTo(Map.of(2, FAILED));
  }

  /** For example a key that the driver cannot encode. */
  @Test
  void thatCannotBeSentFailTheirKeysOnly() throws Exception {
    QueryResults<Integer, String> results =
        each(
            table(
                    ids -> {
                      if (ids.contains(2)) {
                        throw FAILED;
                      }
                      return allBut(2).apply(ids);
                    })
                .oneByOne(),
            List.of(1, 2));
    assertThat(results.found()).isEqualTo(Map.of(1, "title 1"));
    assertThat(results.failed()).isEqualTo(Map.of(2, FAILED));
  }
}
