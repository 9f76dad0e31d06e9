/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * Sends statements to a given coordinator and records all parts of the answers visible to a client:
 * columns, rows in their order, warnings, errors. One thread.
 */
final class Answers {
  private final ThreeNodes nodes;
  private final UnaryOperator<String> same;
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

  /**
   * @param same unifies texts that differ only in the name of a table
   */
  Answers(ThreeNodes nodes, UnaryOperator<String> same) {
    this.nodes = nodes;
    this.same = same;
  }

  /** An answer, or its first page and where the next one begins. */
  record Answer(List<String> lines, ByteBuffer next) {}

  /** Whole answers, one statement after another. */
  List<Answer> all(List<Statements.Drawn> drawn, int node) {
    return drawn.stream().map(each -> whole(each, node)).toList();
  }

  /**
   * Whole answers to the given number of concurrent clients, through all coordinators, so that
   * reads wait. Serial reads follow one after another: concurrent ones conflict, in stock too.
   */
  List<Answer> allAtOnce(List<Statements.Drawn> drawn, int clients) {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < drawn.size(); i++) {
        Statements.Drawn each = drawn.get(i);
        int node = i % 3;
        answers.add(
            each.level().isSerial()
                ? new CompletableFuture<>()
                : CompletableFuture.supplyAsync(() -> whole(each, node), threads));
      }
      for (int i = 0; i < drawn.size(); i++) {
        if (drawn.get(i).level().isSerial()) {
          answers.get(i).complete(whole(drawn.get(i), i % 3));
        } else {
          answers.get(i).join();
        }
      }
      return answers.stream().map(CompletableFuture::join).toList();
    } finally {
      threads.shutdown();
    }
  }

  private Answer whole(Statements.Drawn drawn, int node) {
    return page(drawn, node, null, new ArrayList<>(), true);
  }

  /** The first page of each. */
  List<Answer> firstPages(List<Statements.Drawn> drawn, int node) {
    return drawn.stream().map(each -> page(each, node, null, new ArrayList<>(), false)).toList();
  }

  /** Whole answers, with first pages already present. */
  List<Answer> rest(List<Statements.Drawn> drawn, List<Answer> begun, int node) {
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
                .setNode(nodes.admin().nodes().get(at))
                .setConsistencyLevel(drawn.level())
                .setPageSize(drawn.pageSize())
                .setTracing(drawn.traced())
                .setPagingState(state);
        ResultSet result = nodes.session().driver().execute(statement);
        if (lines.isEmpty()) {
          lines.add(same.apply(columns(result)));
        }
        for (int left = result.getAvailableWithoutFetching(); left > 0; left--) {
          lines.add(text(result.one()));
        }
        for (String warning : result.getExecutionInfo().getWarnings()) {
          lines.add("warning " + same.apply(warning));
        }
        state = result.getExecutionInfo().getPagingState();
      } while (goOn && state != null);
      return new Answer(lines, state);
    } catch (DriverException e) {
      lines.add(0, "error " + e.getClass().getSimpleName() + ": " + same.apply(e.getMessage()));
      return new Answer(lines, null);
    }
  }

  private Statement<?> statement(Statements.Drawn drawn) {
    if (!drawn.prepared()) {
      return drawn.simple();
    }
    return prepared
        .computeIfAbsent(drawn.cql(), cql -> nodes.session().driver().prepare(cql))
        .bind(drawn.values().toArray());
  }

  private static String columns(ResultSet result) {
    StringBuilder text = new StringBuilder("columns");
    for (ColumnDefinition column : result.getColumnDefinitions()) {
      text.append(' ').append(column.getTable()).append('.').append(column.getName());
      text.append(' ').append(column.getType());
    }
    return text.toString();
  }

  /** The values of a row, each followed by a bar. */
  static String text(Row row) {
    Object[] values = new Object[row.getColumnDefinitions().size()];
    Arrays.setAll(values, row::getObject);
    StringBuilder text = new StringBuilder();
    for (Object value : values) {
      text.append(value).append(" | ");
    }
    return text.toString();
  }
}
