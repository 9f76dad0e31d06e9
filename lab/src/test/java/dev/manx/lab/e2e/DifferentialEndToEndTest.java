/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Statement by statement, Manx's nodes answer as stock's: rows and their order, columns, warnings
 * and errors. Pagings begun in one mode go on in the other, on another coordinator.
 *
 * <p>The environment variable {@code MANX_FULL} has it run some ten times as many statements,
 * {@code MANX_SEED} those of an earlier run.
 */
@Tag("e2e")
@Order(25)
@Timeout(1800)
@ExtendWith(ThreeNodes.Fixture.class)
class DifferentialEndToEndTest {
  private static final int ROUNDS = "1".equals(System.getenv("MANX_FULL")) ? 200 : 20;
  private static final int STATEMENTS = 40;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 1KiB } }
        facts: [pending-reads, service-time, work-ahead]
      """;
  // Goes elsewhere than stock as often as can be, with a random order of each queue.
  private static final String RANDOM =
      "strategy: { select: select.random, order: order.lottery, fanout: fanout.brb-equalmax }";
  private static final List<String> DOCUMENTS =
      List.of(MANX, RANDOM, "strategy: manx", "strategy: manx-hedged");

  private ThreeNodes nodes;
  private final Map<String, com.datastax.oss.driver.api.core.cql.PreparedStatement> prepared =
      new HashMap<>();

  /** An answer, or a first page and how to go on. */
  private record Answer(List<String> lines, ByteBuffer next) {}

  @Test
  void everyStatementIsAnsweredAsByStock(ThreeNodes fixture) {
    nodes = fixture;
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    CqlSession session = nodes.session().driver();
    Statements.schema(session);
    Statements statements = new Statements(seed);
    statements.fill(session);
    SplittableRandom random = new SplittableRandom(seed);
    long planned = counted("requests_planned");
    long unpaged = counted("multigets_unpaged");
    long faults = counted("faults");
    int compared = 0;
    int continued = 0;
    int failing = 0;
    for (int round = 0; round < ROUNDS; round++) {
      nodes.set("document", DOCUMENTS.get(round % DOCUMENTS.size()));
      List<Statements.Drawn> drawn = new ArrayList<>();
      for (int i = 0; i < STATEMENTS; i++) {
        drawn.add(statements.next());
      }
      int at = random.nextInt(3);
      nodes.set("mode", "off");
      List<Answer> stock = all(drawn, at);
      List<Answer> begunByStock = firstPages(drawn, at);
      nodes.set("mode", "on");
      List<Answer> manx = all(drawn, at);
      List<Answer> begunByManx = firstPages(drawn, at);
      List<Answer> endedByManx = rest(drawn, begunByStock, (at + 1) % 3);
      nodes.set("mode", "off");
      List<Answer> endedByStock = rest(drawn, begunByManx, (at + 2) % 3);
      for (int i = 0; i < STATEMENTS; i++) {
        String what = "MANX_SEED=%d, round %d: %s".formatted(seed, round, drawn.get(i));
        List<String> right = stock.get(i).lines;
        assertThat(manx.get(i).lines).as(what).isEqualTo(right);
        assertThat(endedByManx.get(i).lines).as("begun by stock, " + what).isEqualTo(right);
        assertThat(endedByStock.get(i).lines).as("begun by Manx, " + what).isEqualTo(right);
        compared++;
        continued += begunByManx.get(i).next == null ? 0 : 1;
        failing += right.get(0).startsWith("error") ? 1 : 0;
      }
    }
    System.out.printf(
        "%d statements alike, %d of them refused by both, %d pagings of each continued in the other"
            + " mode; planned %d, unpaged %d%n",
        compared,
        failing,
        continued,
        counted("requests_planned") - planned,
        counted("multigets_unpaged") - unpaged);
    assertThat(counted("faults")).isEqualTo(faults);
    // It would prove little if Manx had stood aside.
    assertThat(counted("requests_planned") - planned).isGreaterThan(compared / 4);
    assertThat(counted("multigets_unpaged") - unpaged).isPositive();
    assertThat(continued).isPositive();
    nodes.set("document", "strategy: {}");
  }

  private long counted(String name) {
    long sum = 0;
    for (int node = 0; node < 3; node++) {
      sum += Long.parseLong(nodes.table(node, "manx.counters", "value").get(name));
    }
    return sum;
  }

  private List<Answer> all(List<Statements.Drawn> drawn, int node) {
    return drawn.stream().map(each -> page(each, node, null, new ArrayList<>(), true)).toList();
  }

  private List<Answer> firstPages(List<Statements.Drawn> drawn, int node) {
    return drawn.stream().map(each -> page(each, node, null, new ArrayList<>(), false)).toList();
  }

  private List<Answer> rest(List<Statements.Drawn> drawn, List<Answer> begun, int node) {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < begun.size(); i++) {
      Answer first = begun.get(i);
      answers.add(
          first.next == null
              ? first
              : page(drawn.get(i), node, first.next, new ArrayList<>(first.lines), true));
    }
    return answers;
  }

  /** One page, or all from there on. */
  private Answer page(
      Statements.Drawn drawn, int at, ByteBuffer from, List<String> lines, boolean goOn) {
    try {
      ByteBuffer state = from;
      do {
        Statement<?> statement =
            statement(drawn)
                .setNode(node(at))
                .setConsistencyLevel(drawn.level())
                .setPageSize(drawn.pageSize())
                .setTracing(drawn.traced())
                .setPagingState(state);
        ResultSet result = nodes.session().driver().execute(statement);
        if (lines.isEmpty()) {
          lines.add(columns(result));
        }
        for (int left = result.getAvailableWithoutFetching(); left > 0; left--) {
          lines.add(text(result.one()));
        }
        for (String warning : result.getExecutionInfo().getWarnings()) {
          lines.add("warning " + warning);
        }
        state = result.getExecutionInfo().getPagingState();
      } while (goOn && state != null);
      return new Answer(lines, state);
    } catch (DriverException e) {
      lines.add(0, "error " + e.getClass().getSimpleName() + ": " + e.getMessage());
      return new Answer(lines, null);
    }
  }

  private Statement<?> statement(Statements.Drawn drawn) {
    if (!drawn.prepared()) {
      return drawn.simple();
    }
    var known =
        prepared.computeIfAbsent(drawn.cql(), cql -> nodes.session().driver().prepare(drawn.cql()));
    return known.bind(drawn.values().toArray());
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private static String columns(ResultSet result) {
    StringBuilder text = new StringBuilder("columns");
    for (ColumnDefinition column : result.getColumnDefinitions()) {
      text.append(' ').append(column.getTable()).append('.').append(column.getName());
      text.append(' ').append(column.getType());
    }
    return text.toString();
  }

  private static String text(Row row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < row.getColumnDefinitions().size(); i++) {
      text.append(row.getObject(i)).append(" | ");
    }
    return text.toString();
  }
}
