/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Conditional writes, batches and counters are applied and answered as by stock: each is sent
 * twice, to one half of the partitions with Manx off, to the other with it on. {@code MANX_SEED}
 * repeats a run.
 */
@Tag("e2e")
@Order(26)
@Timeout(300)
@ExtendWith(ThreeNodes.Fixture.class)
class WritesEndToEndTest {
  private static final int WRITES = 300;
  private static final int KEYS = 20;
  private static final int OTHER_HALF = 1_000;

  private ThreeNodes nodes;

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void conditionalWritesBatchesAndCountersAreAppliedAsByStock(ThreeNodes fixture) {
    nodes = fixture;
    CqlSession session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS x"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS x.t (k int, c int, v int, s int static, PRIMARY KEY (k, c))");
    session.execute("CREATE TABLE IF NOT EXISTS x.n (k int PRIMARY KEY, n counter)");
    nodes.set(
        "document",
        "strategy: { select: select.random, order: order.bottleneck, fanout: fanout.brb-equalmax }");
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    nodes.set("mode", "off");
    List<String> stock = run(session, new SplittableRandom(seed), 0);
    nodes.set("mode", "on");
    List<String> manx = run(session, new SplittableRandom(seed), OTHER_HALF);
    assertThat(manx).as("MANX_SEED=" + seed).isEqualTo(stock);
    assertThat(stock).anyMatch(line -> line.startsWith("applied true"));
    assertThat(stock).anyMatch(line -> line.startsWith("applied false"));
    assertThat(rows(session, OTHER_HALF)).as("MANX_SEED=" + seed).isEqualTo(rows(session, 0));
  }

  /** What each write was answered, without its key. */
  private static List<String> run(CqlSession session, SplittableRandom random, int half) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      Statement<?> write = draw(random, half);
      try {
        ResultSet result =
            session.execute(
                write
                    .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
                    .setSerialConsistencyLevel(
                        random.nextBoolean()
                            ? DefaultConsistencyLevel.SERIAL
                            : DefaultConsistencyLevel.LOCAL_SERIAL));
        StringBuilder line = new StringBuilder("applied ").append(result.wasApplied());
        for (Row row : result) {
          for (String column : List.of("c", "v", "s")) {
            if (row.getColumnDefinitions().contains(column)) {
              line.append(' ').append(column).append(' ').append(row.getObject(column));
            }
          }
        }
        answers.add(line.toString());
      } catch (DriverException e) {
        answers.add("error " + e.getClass().getSimpleName());
      }
    }
    return answers;
  }

  private static Statement<?> draw(SplittableRandom random, int half) {
    int k = half + random.nextInt(KEYS);
    int c = random.nextInt(4);
    int v = random.nextInt(5);
    return switch (random.nextInt(11)) {
      case 0, 1 -> simple("INSERT INTO x.t (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS", k, c, v);
      case 2, 3 -> simple("UPDATE x.t SET v = ? WHERE k = ? AND c = ? IF v = ?", v, k, c, v - 1);
      case 4 -> simple("UPDATE x.t SET s = ? WHERE k = ? IF s != ?", v, k, v);
      case 5 -> simple("DELETE FROM x.t WHERE k = ? AND c = ? IF EXISTS", k, c);
      case 6 -> simple("INSERT INTO x.t (k, c, v) VALUES (?, ?, ?) USING TTL 86400", k, c, v);
      case 7 ->
          batch(
              DefaultBatchType.LOGGED,
              simple("UPDATE x.t SET v = ? WHERE k = ? AND c = 1 IF v = ?", v, k, v + 1),
              simple("INSERT INTO x.t (k, c, v) VALUES (?, 2, ?)", k, v));
      case 8 ->
          batch(
              DefaultBatchType.LOGGED,
              simple("INSERT INTO x.t (k, c, v) VALUES (?, ?, ?)", k, c, v),
              simple("DELETE FROM x.t WHERE k = ? AND c > 2", half + (k + 1 - half) % KEYS));
      case 9 ->
          batch(
              DefaultBatchType.UNLOGGED,
              simple("INSERT INTO x.t (k, c, s) VALUES (?, ?, ?)", k, c, v),
              simple("UPDATE x.t SET v = ? WHERE k = ? AND c = ?", v, k, c + 1));
      default ->
          random.nextBoolean()
              ? simple("UPDATE x.n SET n = n + ? WHERE k = ?", (long) v, k)
              : batch(
                  DefaultBatchType.COUNTER,
                  simple("UPDATE x.n SET n = n + ? WHERE k = ?", (long) v, k),
                  simple("UPDATE x.n SET n = n - 1 WHERE k = ?", k));
    };
  }

  private static SimpleStatement simple(String cql, Object... values) {
    return SimpleStatement.newInstance(cql, values);
  }

  private static BatchStatement batch(BatchType type, SimpleStatement... statements) {
    return BatchStatement.newInstance(type, statements);
  }

  /** All rows of one half, without their keys' half. */
  private static List<String> rows(CqlSession session, int half) {
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < KEYS; k++) {
      for (String cql :
          List.of("SELECT c, v, s FROM x.t WHERE k = ?", "SELECT n FROM x.n WHERE k = ?")) {
        for (Row row :
            session.execute(
                simple(cql, half + k).setConsistencyLevel(DefaultConsistencyLevel.QUORUM))) {
          lines.add(k + " " + row.getFormattedContents());
        }
      }
    }
    return lines;
  }
}
