/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Writes of all kinds to one client's partitions, valid and invalid ones, with reads in between,
 * drawn from a seed. One thread each; the prepared statements are shared.
 */
final class DrawnWrites {
  /** A client's partitions: this many from its first on. */
  static final int KEYS = 8;

  private static final long EARLIER_MICROS = 5_000;

  private final CqlSession session;
  private final Map<String, PreparedStatement> prepared;
  private final SplittableRandom random;
  private final int first;
  private int drawn;

  /**
   * @param first the first of its partitions
   */
  DrawnWrites(
      CqlSession session,
      ConcurrentHashMap<String, PreparedStatement> prepared,
      SplittableRandom random,
      int first) {
    this.session = session;
    this.prepared = prepared;
    this.random = random;
    this.first = first;
  }

  /**
   * The tables: of plain writes, of conditional ones, which would not agree with the clock of plain
   * ones, and of counters.
   */
  static void schema(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS x"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    for (String table : List.of("t", "l")) {
      session.execute(
          "CREATE TABLE IF NOT EXISTS x.%s (k int, c int, v int, w text, s int static,"
                  .formatted(table)
              + " PRIMARY KEY (k, c))");
    }
    session.execute("CREATE TABLE IF NOT EXISTS x.n (k int PRIMARY KEY, n counter)");
  }

  /** The next one. */
  Statement<?> next() {
    drawn++;
    Statement<?> statement =
        switch (random.nextInt(8)) {
          case 0, 1 -> plain();
          case 2, 3 -> conditional();
          case 4 -> batch();
          case 5 -> counter();
          case 6 -> read();
          default -> wrong();
        };
    if (statement.getConsistencyLevel() == null) {
      statement = statement.setConsistencyLevel(DefaultConsistencyLevel.QUORUM);
    }
    return statement.setSerialConsistencyLevel(
        random.nextBoolean()
            ? DefaultConsistencyLevel.SERIAL
            : DefaultConsistencyLevel.LOCAL_SERIAL);
  }

  private BatchableStatement<?> plain() {
    int k = key();
    int c = random.nextInt(4);
    int v = random.nextInt(5);
    return switch (random.nextInt(7)) {
      case 0 -> one("INSERT INTO x.t (k, c, v) VALUES (?, ?, ?)", k, c, v);
      case 1 -> one("INSERT INTO x.t (k, c, v) VALUES (?, ?, ?) USING TTL 86400", k, c, v);
      case 2 -> one("UPDATE x.t USING TIMESTAMP ? SET v = ? WHERE k = ? AND c = ?", old(), v, k, c);
      case 3 ->
          one(
              "INSERT INTO x.t (k, c, s) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?",
              k,
              c,
              v,
              old(),
              86_400);
      case 4 -> one("DELETE FROM x.t WHERE k = ? AND c > ?", k, c);
      case 5 -> one("DELETE v FROM x.t WHERE k = ? AND c = ?", k, c);
      default -> one("UPDATE x.t SET s = ?, w = ? WHERE k = ? AND c = ?", v, "w" + v, k, c);
    };
  }

  // Older than all current writes, and each one older than the next.
  private long old() {
    return EARLIER_MICROS + drawn;
  }

  private BatchableStatement<?> conditional() {
    int k = key();
    int c = random.nextInt(4);
    int v = random.nextInt(3);
    return switch (random.nextInt(8)) {
      case 0, 1 -> one("INSERT INTO x.l (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS", k, c, v);
      case 2 -> one("UPDATE x.l SET v = ? WHERE k = ? AND c = ? IF v = ?", v, k, c, v - 1);
      case 3 -> one("UPDATE x.l SET s = ? WHERE k = ? IF s != ?", v, k, v);
      case 4 -> one("DELETE FROM x.l WHERE k = ? AND c = ? IF EXISTS", k, c);
      case 5 -> one("UPDATE x.l USING TTL 86400 SET w = 'x' WHERE k = ? AND c = ? IF EXISTS", k, c);
      case 6 ->
          one(
              "UPDATE x.l SET v = ? WHERE k = ? AND c = ? IF v IN ? AND s > ?",
              v,
              k,
              c,
              List.of(0, 1),
              0);
      default -> one("DELETE v FROM x.l WHERE k = ? AND c = ? IF v = ?", k, c, v);
    };
  }

  private Statement<?> batch() {
    int k = key();
    int v = random.nextInt(3);
    return switch (random.nextInt(6)) {
      case 0, 1 -> batch(DefaultBatchType.LOGGED, plain(), plain(), plain());
      case 2 -> batch(DefaultBatchType.UNLOGGED, plain(), plain());
      case 3 ->
          batch(
              DefaultBatchType.LOGGED,
              one("UPDATE x.l SET v = ? WHERE k = ? AND c = 1 IF v = ?", v, k, v + 1),
              one("INSERT INTO x.l (k, c, v) VALUES (?, 2, ?)", k, v),
              one("UPDATE x.l SET s = ? WHERE k = ?", v, k));
      // Cassandra warns of one that is large, and of one that covers many partitions.
      case 4 ->
          batch(
              DefaultBatchType.LOGGED,
              one("UPDATE x.t SET w = ? WHERE k = ? AND c = ?", "w".repeat(9_000), k, v),
              plain());
      default ->
          batch(
              DefaultBatchType.UNLOGGED,
              IntStream.range(0, 3 * KEYS)
                  .mapToObj(
                      i -> one("INSERT INTO x.t (k, c, v) VALUES (?, 3, ?)", first + KEYS + i, v))
                  .toArray(BatchableStatement<?>[]::new));
    };
  }

  private Statement<?> counter() {
    long by = random.nextInt(9);
    return random.nextBoolean()
        ? one("UPDATE x.n SET n = n + ? WHERE k = ?", by, key())
        : batch(
            DefaultBatchType.COUNTER,
            one("UPDATE x.n SET n = n + ? WHERE k = ?", by, key()),
            one("UPDATE x.n SET n = n - 1 WHERE k = ?", key()));
  }

  private Statement<?> read() {
    List<Integer> keys = List.of(key(), key(), key());
    return switch (random.nextInt(4)) {
      case 0 -> one("SELECT * FROM x.l WHERE k = ?", key()).setConsistencyLevel(serial());
      case 1 -> one("SELECT k, c, v, w, s FROM x.t WHERE k IN ? AND c = 2", keys);
      case 2 -> one("SELECT k, c, v, w, s FROM x.t WHERE k IN ?", keys);
      default -> one("SELECT k, n FROM x.n WHERE k IN ?", keys);
    };
  }

  private DefaultConsistencyLevel serial() {
    return random.nextBoolean()
        ? DefaultConsistencyLevel.SERIAL
        : DefaultConsistencyLevel.LOCAL_SERIAL;
  }

  private Statement<?> wrong() {
    int k = key();
    return switch (random.nextInt(10)) {
      case 0 -> simple("INSERT INTO x.t (k, v) VALUES (?, 1)", k);
      case 1 -> simple("INSERT INTO x.t (k, c, v) VALUES (?, ?, 1)", k, null);
      case 2 -> simple("UPDATE x.l USING TIMESTAMP 1 SET v = 1 WHERE k = ? AND c = 1 IF v = 0", k);
      case 3 ->
          batch(
              DefaultBatchType.LOGGED,
              simple("UPDATE x.l SET v = 1 WHERE k = ? AND c = 1 IF v = 0", k),
              simple("INSERT INTO x.l (k, c, v) VALUES (?, 1, 1)", k + 1));
      case 4 -> batch(DefaultBatchType.LOGGED, simple("UPDATE x.n SET n = n + 1 WHERE k = ?", k));
      case 5 -> simple("UPDATE x.n USING TTL 3 SET n = n + 1 WHERE k = ?", k);
      case 6 -> simple("INSERT INTO x.t (k, c, nothing) VALUES (?, 1, 1)", k);
      case 7 -> one("INSERT INTO x.t (k, c, v) VALUES (?, 1, 1) USING TTL ?", k, -5);
      case 8 -> simple("DELETE FROM x.t WHERE k = ? AND v = 1", k);
      default -> simple("UPDATE x.t SET v = ? WHERE k = ? AND c = 1", "text", k);
    };
  }

  private int key() {
    return first + random.nextInt(KEYS);
  }

  /** Prepared or not. */
  private BatchableStatement<?> one(String cql, Object... values) {
    return random.nextBoolean()
        ? simple(cql, values)
        : prepared.computeIfAbsent(cql, session::prepare).bind(values);
  }

  private static SimpleStatement simple(String cql, Object... values) {
    return SimpleStatement.newInstance(cql, values);
  }

  private static BatchStatement batch(BatchType type, BatchableStatement<?>... statements) {
    return BatchStatement.newInstance(type, statements);
  }
}
