/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * SELECTs of all shapes, right and wrong ones, drawn from a seed, and the tables that they read:
 * plain, wide with statics, composite partition keys, counters, one that is always read twice, a
 * view, lists as clustering, indexes of two kinds; with tombstones, values that have expired or
 * will, and large ones.
 */
final class Statements {
  private static final List<DefaultConsistencyLevel> LEVELS =
      List.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.LOCAL_ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.LOCAL_QUORUM,
          DefaultConsistencyLevel.EACH_QUORUM,
          DefaultConsistencyLevel.ALL,
          DefaultConsistencyLevel.SERIAL,
          DefaultConsistencyLevel.LOCAL_SERIAL);
  // The largest turns paging off: no result has more rows.
  private static final int[] PAGES = {
    1, 2, 3, 7, 20, 5_000, 5_000, 5_000, Integer.MAX_VALUE, Integer.MAX_VALUE
  };
  private static final int KEYS = 40;
  private static final String EXPIRES = " USING TTL 1";

  private final SplittableRandom random;

  Statements(long seed) {
    random = new SplittableRandom(seed);
  }

  /**
   * One SELECT.
   *
   * @param prepared whether it is sent prepared, with its values bound
   * @param named whether its markers have names
   * @param traced whether it is traced
   */
  record Drawn(
      String cql,
      List<Object> values,
      ConsistencyLevel level,
      int pageSize,
      boolean prepared,
      boolean named,
      boolean traced) {
    SimpleStatement simple() {
      if (!named) {
        return SimpleStatement.newInstance(cql, values.toArray());
      }
      Map<String, Object> byName = new LinkedHashMap<>();
      values.forEach(value -> byName.put("v" + byName.size(), value));
      return SimpleStatement.newInstance(cql, byName);
    }

    @Override
    public String toString() {
      return cql
          + " "
          + values
          + " at "
          + level
          + ", page "
          + pageSize
          + (prepared ? ", prepared" : "")
          + (traced ? ", traced" : "");
    }
  }

  static void schema(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS d"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    for (String table :
        List.of(
            "plain (k text PRIMARY KEY, v text, n int)",
            "wide (k int, c int, v text, s int static, PRIMARY KEY (k, c))",
            "pair (a int, b text, c int, v text, PRIMARY KEY ((a, b), c))",
            "twice (k int PRIMARY KEY, v text) WITH speculative_retry = 'ALWAYS'",
            "listed (k int, c frozen<list<int>>, v text, PRIMARY KEY (k, c))",
            "counts (k int PRIMARY KEY, n counter)")) {
      session.execute("CREATE TABLE IF NOT EXISTS d." + table);
    }
    session.execute("CREATE INDEX IF NOT EXISTS plain_n ON d.plain (n)");
    session.execute("CREATE INDEX IF NOT EXISTS wide_v ON d.wide (v) USING 'sai'");
    session.execute(
        "CREATE MATERIALIZED VIEW IF NOT EXISTS d.by_n AS SELECT * FROM d.plain"
            + " WHERE n IS NOT NULL AND k IS NOT NULL PRIMARY KEY (n, k)");
  }

  /** Fills them; the same for the same seed. */
  void fill(CqlSession session) {
    for (int k = 0; k < KEYS; k++) {
      String text = "v".repeat(1 + random.nextInt(k == 16 ? 200_000 : k % 8 == 0 ? 3_000 : 50));
      execute(session, "INSERT INTO d.twice (k, v) VALUES (?, ?)", k, text);
      execute(session, "INSERT INTO d.plain (k, v, n) VALUES (?, ?, ?)", "k" + k, text, k % 5);
      execute(session, "UPDATE d.counts SET n = n + ? WHERE k = ?", (long) random.nextInt(99), k);
      for (List<Integer> list : List.of(List.of(k % 6, 1), List.of(k, k + 1))) {
        execute(session, "INSERT INTO d.listed (k, c, v) VALUES (?, ?, ?)", k, list, text);
      }
      execute(session, "INSERT INTO d.wide (k, s) VALUES (?, ?)", k, k * 7);
      for (int c = 0; c < random.nextInt(12); c++) {
        String ttl =
            switch (random.nextInt(8)) {
              case 0 -> EXPIRES;
              case 1, 2 -> " USING TTL 86400";
              default -> "";
            };
        execute(session, "INSERT INTO d.wide (k, c, v) VALUES (?, ?, ?)" + ttl, k, c, "w" + c);
        execute(
            session,
            "INSERT INTO d.pair (a, b, c, v) VALUES (?, ?, ?, ?)",
            k % 6,
            "b" + k % 4,
            c,
            "p" + k);
      }
      switch (random.nextInt(6)) {
        case 0 -> execute(session, "DELETE FROM d.plain WHERE k = ?", "k" + k);
        case 1 -> execute(session, "DELETE FROM d.wide WHERE k = ? AND c > 3", k);
        case 2 -> execute(session, "DELETE v FROM d.wide WHERE k = ? AND c = 2", k);
        case 3 -> execute(session, "DELETE FROM d.wide WHERE k = ?", k);
        default -> {}
      }
    }
    execute(session, "INSERT INTO d.twice (k, v) VALUES (?, ?)" + EXPIRES, -1, "last");
    Waiting.until(
        "what expires has expired",
        () -> session.execute("SELECT v FROM d.twice WHERE k = -1").one() == null);
  }

  private static void execute(CqlSession session, String cql, Object... values) {
    session.execute(
        SimpleStatement.newInstance(cql, values).setConsistencyLevel(DefaultConsistencyLevel.ALL));
  }

  /** The next statement. */
  Drawn next() {
    List<Object> values = new ArrayList<>();
    String cql =
        switch (random.nextInt(25)) {
          case 0, 1, 2, 3 -> plain("k, v", values) + limit(values);
          case 4 -> plain("count(*), max(n)", values);
          case 5 -> plain("JSON *", values);
          case 6 ->
              "SELECT * FROM d.wide WHERE k = " + mark(values, key()) + slice(values) + order();
          case 7, 8 -> wide("k, c, v, s", values) + slice(values) + limit(values);
          case 9 ->
              wide("k, c, v, writetime(v)", values) + " AND c = " + mark(values, clustering());
          case 10 -> wide("DISTINCT k, s", values);
          case 11 -> wide("*", values) + " PER PARTITION LIMIT " + (1 + random.nextInt(3));
          case 12 ->
              "SELECT * FROM d.pair WHERE a IN ("
                  + marks(values, 1 + random.nextInt(3), this::small)
                  + ") AND b IN ("
                  + marks(values, 1 + random.nextInt(3), () -> "b" + small())
                  + ")"
                  + (random.nextBoolean() ? " AND c = " + mark(values, clustering()) : "");
          case 13 ->
              "SELECT * FROM d.counts WHERE k IN ("
                  + marks(values, 1 + random.nextInt(9), this::key)
                  + ")";
          case 14, 15 -> range(values);
          case 16, 17 -> list("SELECT k, v FROM d.plain WHERE k IN ", values, "k") + limit(values);
          case 18 -> list("SELECT k, v FROM d.twice WHERE k IN ", values, null);
          case 19 ->
              "SELECT k, n, v FROM d.by_n WHERE n IN ("
                  + marks(values, 1 + random.nextInt(3), this::small)
                  + ")"
                  + (random.nextBoolean() ? " AND k = " + mark(values, "k" + key()) : "");
          case 20 -> list("SELECT k, c, v FROM d.wide WHERE c = 2 AND k IN ", values, null);
          case 21 -> wide("k, count(*), max(c)", values) + " GROUP BY k";
          case 22 ->
              "SELECT k, c FROM d.wide WHERE k = "
                  + mark(values, key())
                  + " AND v = "
                  + mark(values, "w" + clustering());
          case 23 -> misnamed(values);
          default -> wrong(values);
        };
    boolean named = random.nextInt(4) == 0 && marks(cql) == values.size() && !values.isEmpty();
    return new Drawn(
        named ? named(cql) : cql,
        values,
        LEVELS.get(random.nextInt(LEVELS.size())),
        PAGES[random.nextInt(PAGES.length)],
        random.nextBoolean(),
        named,
        random.nextInt(24) == 0);
  }

  /** A list of keys bound to one marker; of texts with a prefix, else of numbers. */
  private String list(String select, List<Object> values, String prefix) {
    int count = 1 + random.nextInt(20);
    if (prefix == null) {
      values.add(Stream.generate(this::key).limit(count).toList());
    } else {
      values.add(Stream.generate(() -> prefix + key()).limit(count).toList());
    }
    return select + "?";
  }

  /** A list that gives no keys, with a marker that is named as Cassandra names one that does. */
  private String misnamed(List<Object> values) {
    values.add(List.of(small(), 1));
    String keys =
        Stream.generate(() -> String.valueOf(key()))
            .limit(1 + random.nextInt(9))
            .collect(Collectors.joining(", ", "(", ")"));
    return random.nextInt(3) == 0
        ? "SELECT k, v, (list<int>) :\"in(k)\" FROM d.twice WHERE k IN " + keys
        : "SELECT k, c, v FROM d.listed WHERE c = :\"in(k)\" AND k IN " + keys;
  }

  private static long marks(String cql) {
    return cql.chars().filter(c -> c == '?').count();
  }

  private static String named(String cql) {
    StringBuilder text = new StringBuilder();
    int mark = 0;
    for (char c : cql.toCharArray()) {
      text.append(c == '?' ? ":v" + mark++ : String.valueOf(c));
    }
    return text.toString();
  }

  private String plain(String columns, List<Object> values) {
    return "SELECT "
        + columns
        + " FROM d.plain WHERE k IN ("
        + marks(values, 1 + random.nextInt(random.nextInt(8) == 0 ? 60 : 12), () -> "k" + key())
        + ")";
  }

  private String wide(String columns, List<Object> values) {
    return "SELECT "
        + columns
        + " FROM d.wide WHERE k IN ("
        + marks(values, 1 + random.nextInt(8), this::key)
        + ")";
  }

  private String range(List<Object> values) {
    return switch (random.nextInt(7)) {
      case 0 -> "SELECT k, v FROM d.plain";
      case 1 -> "SELECT k FROM d.plain WHERE n = " + mark(values, small());
      case 2 -> "SELECT k, c FROM d.wide WHERE token(k) > " + mark(values, random.nextLong());
      case 3 -> "SELECT k, c FROM d.wide WHERE v = " + mark(values, "w" + clustering());
      case 4 -> "SELECT k FROM d.plain WHERE n > " + mark(values, small()) + " ALLOW FILTERING";
      case 5 -> "SELECT k, n FROM d.by_n";
      default -> "SELECT DISTINCT k, s FROM d.wide LIMIT 9";
    };
  }

  /** What stock refuses, in words that must stay the same. */
  private String wrong(List<Object> values) {
    return switch (random.nextInt(6)) {
      case 0 -> plain("nothing", values);
      case 1 -> "SELECT * FROM d.plain WHERE k IN (?, ?)";
      case 2 -> plain("k", values) + " LIMIT 0";
      case 3 -> plain("k", values) + " ORDER BY k";
      case 4 -> wide("k", values) + " ORDER BY c";
      default -> "SELECT * FROM d.missing WHERE k = 1";
    };
  }

  private String slice(List<Object> values) {
    return switch (random.nextInt(4)) {
      case 0 -> " AND c >= " + mark(values, clustering());
      case 1 -> " AND c IN (" + marks(values, 3, this::clustering) + ")";
      default -> "";
    };
  }

  private String limit(List<Object> values) {
    return random.nextInt(3) == 0 ? " LIMIT " + mark(values, 1 + random.nextInt(12)) : "";
  }

  private String order() {
    return random.nextBoolean() ? " ORDER BY c DESC" : "";
  }

  // Some keys are missing, and lists have the same key twice now and then.
  private int key() {
    return random.nextInt(KEYS + 8);
  }

  private int clustering() {
    return random.nextInt(12);
  }

  private int small() {
    return random.nextInt(6);
  }

  private static String mark(List<Object> values, Object value) {
    values.add(value);
    return "?";
  }

  private static String marks(
      List<Object> values, int count, java.util.function.Supplier<Object> value) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> mark(values, value.get()))
        .collect(Collectors.joining(", "));
  }
}
