/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.cassandra.TableLoader;
import dev.manx.client.store.Sizers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The client library over a table of real nodes. */
@SharedNodes
class TableLoaderEndToEndTest {
  private static final int PLAYLISTS = 26;
  private static final int SONGS = 200;

  private static void keyspace(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS loader"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
  }

  @Test
  void loadsATableByMultigetAndOneByOne(ThreeNodes nodes) throws Exception {
    CqlSession session = nodes.session().driver();
    keyspace(session);
    session.execute(
        "CREATE TABLE IF NOT EXISTS loader.\"Songs\" (\"Id\" int PRIMARY KEY, title text)");
    for (int id = 0; id < 40; id++) {
      nodes.write(
          "INSERT INTO loader.\"Songs\" (\"Id\", title) VALUES (" + id + ", 'song " + id + "')");
    }
    nodes.write("INSERT INTO loader.\"Songs\" (\"Id\") VALUES (100)");
    TableLoader<Integer, String> loader =
        new TableLoader<>(
            session, "loader.Songs", "Id", Integer.class, row -> row.getString("title"));
    List<Integer> asked = IntStream.rangeClosed(30, 101).boxed().toList();
    for (TableLoader<Integer, String> way : List.of(loader, loader.oneByOne())) {
      try (FanoutCache cache = FanoutCache.builder().open()) {
        Backend<Integer, String> songs =
            cache.add(BackendSpec.of("songs", Sizers.of(Sizers::number, Sizers::text), way));
        try (FanoutRequest request = cache.request()) {
          Map<Integer, String> found = request.query(songs, asked).get(30, TimeUnit.SECONDS);
          assertThat(found).hasSize(10).containsEntry(30, "song 30").containsEntry(39, "song 39");
          assertThat(request.queryOne(songs, 39)).isCompletedWithValue("song 39");
          assertThat(request.queryOne(songs, 7).get(30, TimeUnit.SECONDS)).isEqualTo("song 7");
        }
        assertThat(songs.stats().loadFailures()).isZero();
      }
    }
  }

  /** More rows than the driver's page has, so that a page ends within a partition. */
  @Test
  void aValueOfAllRowsOfAPartition(ThreeNodes nodes) throws Exception {
    CqlSession session = nodes.session().driver();
    keyspace(session);
    session.execute(
        "CREATE TABLE IF NOT EXISTS loader.playlists"
            + " (id int, place int, song text, PRIMARY KEY (id, place))");
    for (int id = 0; id < PLAYLISTS; id++) {
      StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH ");
      for (int place = 0; place < SONGS; place++) {
        batch.append("INSERT INTO loader.playlists (id, place, song) VALUES (");
        batch.append(id + ", " + place + ", '" + id + "/" + place + "');");
      }
      nodes.write(batch + " APPLY BATCH");
    }
    TableLoader<Integer, List<String>> loader =
        TableLoader.ofRows(
            session,
            "loader.playlists",
            "id",
            Integer.class,
            rows -> rows.stream().map(row -> row.getString("song")).toList());
    List<Integer> asked = IntStream.rangeClosed(0, PLAYLISTS).boxed().toList();
    for (TableLoader<Integer, List<String>> way : List.of(loader, loader.oneByOne())) {
      Map<Integer, List<String>> found =
          way.loadAll(asked).toCompletableFuture().get(30, TimeUnit.SECONDS);
      assertThat(found).hasSize(PLAYLISTS);
      for (int id = 0; id < PLAYLISTS; id++) {
        int of = id;
        assertThat(found.get(id))
            .containsExactlyElementsOf(
                IntStream.range(0, SONGS).mapToObj(place -> of + "/" + place).toList());
      }
    }
    assertThatThrownBy(
            () ->
                new TableLoader<>(
                    session, "loader.playlists", "id", Integer.class, row -> row.getInt("place")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("several rows", ": place;", "TableLoader.ofRows");
  }

  /** Cassandra has the columns of virtual tables in another table than those of others. */
  @Test
  void aVirtualTableWhoseKeysHaveSeveralRowsIsRefused(ThreeNodes nodes) {
    CqlSession session = nodes.session().driver();
    assertThatThrownBy(
            () ->
                new TableLoader<>(
                    session, "manx.latency", "name", String.class, row -> row.getString("keys")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("several rows", ": from_keys, pressure;", "TableLoader.ofRows");
    assertThat(
            new TableLoader<>(
                    session, "manx.counters", "name", String.class, row -> row.getLong("value"))
                .loadAll(List.of("faults"))
                .toCompletableFuture()
                .join())
        .containsOnlyKeys("faults");
  }

  @Test
  void aTableThatIsNotThereIsRefused(ThreeNodes nodes) {
    assertThatThrownBy(
            () ->
                new TableLoader<>(
                    nodes.session().driver(), "system.nothing", "k", String.class, row -> row))
        .isInstanceOf(InvalidQueryException.class);
  }
}
