/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of the report in {@code report.json}, with texts formatted for users. The page and the
 * terminal print the same tables. Immutable.
 *
 * @param section its part of the report
 * @param title its heading; empty if not needed
 * @param fold heading of its fold; empty if it is not folded
 * @param load its only load; empty for all
 * @param requestClass its only class; empty for all
 */
@JsonInclude(Include.NON_EMPTY)
public record Table(
    String section,
    String title,
    String fold,
    String load,
    @JsonProperty("class") String requestClass,
    List<Column> columns,
    List<List<Cell>> rows) {
  /** The heading of a column whose cells are loads. */
  public static final String LOAD = "load";

  public enum Kind {
    /** A name or a sentence, on the left. */
    NAME,
    /** A value, on the right. */
    VALUE,
    /** A value under a long heading, which may wrap between words. */
    LONG_NAMED
  }

  /**
   * A column.
   *
   * @param name its heading
   * @param words the meaning of its values, below the heading; empty for none
   */
  @JsonInclude(Include.NON_EMPTY)
  public record Column(String name, Kind kind, String words) {
    public Column {
      name = orEmpty(name);
      words = orEmpty(words);
    }

    public static Column ofNames(String name) {
      return new Column(name, Kind.NAME, "");
    }

    public static Column of(String name) {
      return new Column(name, Kind.VALUE, "");
    }

    /** A column of values whose heading may wrap between words, and their meaning. */
    public static Column ofLongName(String name, String words) {
      return new Column(name, Kind.LONG_NAMED, words);
    }
  }

  /**
   * A cell.
   *
   * @param text its text
   * @param small the line below: an interval, an explanation
   * @param value sort key of its column, if the table can be sorted; null if unknown
   * @param bad whether it is highlighted as a problem
   * @param arm the arm whose line style precedes the text; empty for none
   * @param mark a framed word after the text
   * @param warning a framed word after the text, highlighted as a warning
   */
  @JsonInclude(Include.NON_EMPTY)
  public record Cell(
      String text,
      String small,
      Double value,
      @JsonInclude(Include.NON_DEFAULT) boolean bad,
      String arm,
      String mark,
      String warning) {
    public Cell {
      text = orEmpty(text);
      small = orEmpty(small);
      value = value != null && value.isNaN() ? null : value;
      arm = orEmpty(arm);
      mark = orEmpty(mark);
      warning = orEmpty(warning);
    }

    public static Cell of(String text) {
      return of(text, "");
    }

    /** A text and the line below it. */
    public static Cell of(String text, String small) {
      return new Cell(text, small, null, false, "", "", "");
    }

    /** A text and its sort key; NaN if unknown. */
    public static Cell of(String text, double value) {
      return new Cell(text, "", value, false, "", "", "");
    }

    /** The name of an arm, with its line. */
    public static Cell ofArm(String name) {
      return new Cell(name, "", null, false, name, "", "");
    }

    /** A text with or without highlighting. */
    public Cell bad(boolean is) {
      return new Cell(text, small, value, is, arm, mark, warning);
    }

    /** A text with framed words; empty for none. */
    public Cell with(String newMark, String newWarning) {
      return new Cell(text, small, value, bad, arm, newMark, newWarning);
    }
  }

  public Table {
    title = orEmpty(title);
    fold = orEmpty(fold);
    load = orEmpty(load);
    requestClass = orEmpty(requestClass);
    columns = List.copyOf(columns);
    rows = rows == null ? List.of() : List.copyOf(rows);
  }

  /** A table of all loads and classes without a heading. */
  public Table(String section, List<Column> columns, List<List<Cell>> rows) {
    this(section, "", "", "", "", columns, rows);
  }

  /** A table of all loads and classes with a heading. */
  public Table titled(String newTitle) {
    return new Table(section, newTitle, fold, load, requestClass, columns, rows);
  }

  /** A folded table of all loads and classes. */
  public Table folded(String newFold) {
    return new Table(section, title, newFold, load, requestClass, columns, rows);
  }

  /** This table for one load and class; empty for all. */
  public Table of(String newLoad, String newClass) {
    return new Table(section, title, fold, newLoad, newClass, columns, rows);
  }

  /** The rows of one load, without the column of loads; the whole table without such a column. */
  Table at(String wanted) {
    int column = columns.stream().map(Column::name).toList().indexOf(LOAD);
    if (column < 0) {
      return this;
    }
    List<List<Cell>> own =
        rows.stream()
            .filter(row -> row.get(column).text().equals(wanted))
            .map(row -> without(column, row))
            .toList();
    return new Table(section, title, fold, load, requestClass, without(column, columns), own);
  }

  private static <T> List<T> without(int index, List<T> all) {
    List<T> others = new ArrayList<>(all);
    others.remove(index);
    return others;
  }

  /** Number of leading columns with names. */
  int names() {
    return (int) columns.stream().takeWhile(column -> column.kind() == Kind.NAME).count();
  }

  /** The warning of each row; empty for none. */
  List<String> warnings() {
    return rows.stream()
        .map(row -> row.stream().map(Cell::warning).collect(Collectors.joining()))
        .toList();
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
