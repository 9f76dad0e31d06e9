/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Statements with keys of each existing type that may be invalid. */
final class GarbledKeys {
  // Statements of each shape for each type.
  private static final int EACH = "1".equals(System.getenv("MANX_FULL")) ? 12 : 6;
  private static final List<String> TYPES =
      List.of(
          "ascii",
          "bigint",
          "blob",
          "boolean",
          "date",
          "decimal",
          "double",
          "float",
          "inet",
          "int",
          "smallint",
          "text",
          "time",
          "timestamp",
          "timeuuid",
          "tinyint",
          "uuid",
          "varint",
          "frozen<h.pair>",
          "frozen<list<int>>",
          "frozen<map<int, text>>",
          "frozen<set<text>>",
          "frozen<tuple<int, text>>",
          "vector<float, 3>");

  private GarbledKeys() {}

  /** Makes a table of each type in keyspace {@code h}, and statements that read and write it. */
  static List<Garbled> draw(CqlSession session, SplittableRandom random) {
    session.execute("CREATE TYPE IF NOT EXISTS h.pair (a int, b text)");
    List<Garbled> drawn = new ArrayList<>();
    for (int type = 0; type < TYPES.size(); type++) {
      String table = "h.keys" + type;
      session.execute(
          "CREATE TABLE IF NOT EXISTS %s (k %s PRIMARY KEY, v int)"
              .formatted(table, TYPES.get(type)));
      PreparedStatement one = session.prepare("SELECT v FROM " + table + " WHERE k = ?");
      PreparedStatement two =
          session.prepare("SELECT v FROM " + table + " WHERE k IN (?, ?) LIMIT ?");
      PreparedStatement list = session.prepare("SELECT v FROM " + table + " WHERE k IN ?");
      PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
      for (int i = 0; i < EACH; i++) {
        int page = random.nextBoolean() ? 100 : 2;
        drawn.add(new Garbled(one, List.of(Garbled.value(random)), page, null));
        drawn.add(
            new Garbled(
                two,
                Arrays.asList(
                    Garbled.value(random),
                    Garbled.value(random),
                    i % 2 == 0 ? Garbled.number(9) : Garbled.value(random)),
                page,
                null));
        drawn.add(
            new Garbled(
                list, Arrays.asList(i % 3 == 0 ? null : Garbled.value(random)), page, null));
        drawn.add(
            new Garbled(insert, List.of(Garbled.value(random), Garbled.number(1)), page, null));
      }
    }
    return drawn;
  }
}
