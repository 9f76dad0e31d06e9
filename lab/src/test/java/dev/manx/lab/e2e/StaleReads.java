/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** SELECTs of {@link StaleTables}, drawn from a seed; {@code @} stands for the side. */
final class StaleReads {
  private static final int[] PAGES = {2, 3, 7, 5_000, 5_000, Integer.MAX_VALUE};
  private static final int[] PAGES_THAT_HOLD_ALL = {5_000, Integer.MAX_VALUE};

  private final SplittableRandom random;

  StaleReads(SplittableRandom random) {
    this.random = random;
  }

  /**
   * The given number of reads of some keys.
   *
   * @param whole whether a read gets all rows that it names, without a limit and in one page, so
   *     that the same is repaired however it is read. Where a page ends within a deleted range,
   *     stock repairs the rows of that page but not the range up to there
   */
  List<Statements.Drawn> draw(
      int count, int from, int to, List<DefaultConsistencyLevel> levels, boolean whole) {
    List<Statements.Drawn> drawn = new ArrayList<>();
    int[] pages = whole ? PAGES_THAT_HOLD_ALL : PAGES;
    for (int i = 0; i < count; i++) {
      List<Object> values = new ArrayList<>();
      String cql = cql(values, () -> from + random.nextInt(to - from));
      if (!whole && !cql.contains("LIMIT") && random.nextInt(3) == 0) {
        cql += " LIMIT " + (1 + random.nextInt(12));
      }
      drawn.add(
          new Statements.Drawn(
              cql,
              values,
              levels.get(random.nextInt(levels.size())),
              pages[random.nextInt(pages.length)],
              random.nextBoolean(),
              false,
              random.nextInt(24) == 0));
    }
    return drawn;
  }

  private String cql(List<Object> values, Supplier<Object> key) {
    String plain = "SELECT k, v, n, writetime(v) FROM stale.plain_@ WHERE k ";
    String wide = "SELECT k, c, v, m, s, writetime(v) FROM stale.wide_@ WHERE k ";
    return switch (random.nextInt(11)) {
      case 0, 1 -> plain + in(values, key);
      case 2, 3 -> plain + list(values, key);
      case 4 -> wide + "= " + mark(values, key.get()) + clustering() + order();
      case 5 -> wide + in(values, key) + clustering();
      case 6 -> wide + list(values, key) + clustering();
      case 7 -> wide + in(values, key) + " AND c = " + random.nextInt(5);
      case 8 -> wide + list(values, key) + " AND c = " + random.nextInt(5);
      case 9 -> "SELECT k, count(*), max(c) FROM stale.wide_@ WHERE k " + in(values, key);
      default -> "SELECT DISTINCT k, s FROM stale.wide_@ WHERE k " + list(values, key);
    };
  }

  private String clustering() {
    return switch (random.nextInt(5)) {
      case 0 -> " AND c >= " + random.nextInt(4);
      case 1 -> " AND c > 0 AND c < 3";
      case 2 -> " AND c IN (0, 2, 9)";
      default -> "";
    };
  }

  private String order() {
    return random.nextBoolean() ? " ORDER BY c DESC" : "";
  }

  private String in(List<Object> values, Supplier<Object> key) {
    return IntStream.range(0, 1 + random.nextInt(10))
        .mapToObj(i -> mark(values, key.get()))
        .collect(Collectors.joining(", ", "IN (", ")"));
  }

  private String list(List<Object> values, Supplier<Object> key) {
    int count = 1 + random.nextInt(10);
    return "IN " + mark(values, IntStream.range(0, count).mapToObj(i -> key.get()).toList());
  }

  private static String mark(List<Object> values, Object value) {
    values.add(value);
    return "?";
  }

  /** The same reads of one side's tables. */
  static List<Statements.Drawn> of(List<Statements.Drawn> drawn, String side) {
    return drawn.stream()
        .map(
            each ->
                new Statements.Drawn(
                    each.cql().replace("@", side),
                    each.values(),
                    each.level(),
                    each.pageSize(),
                    each.prepared(),
                    each.named(),
                    each.traced()))
        .toList();
  }
}
