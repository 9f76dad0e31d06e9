/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of the report as {@code report.json} holds it: texts as people read them. The page and
 * the terminal print the same tables. Immutable.
 *
 * @param section the part of the report that it belongs to
 * @param title its heading there; empty if it needs none
 * @param fold the line that it is folded under; empty if it is shown at once
 * @param load the only load that it is about; empty if it is about all
 * @param requestClass the only class that it is about; empty if it is about all
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

  /** How a column is set. */
  public enum Kind {
    /** A name or a sentence, on the left. */
    NAME,
    /** A value, on the right. */
    VALUE,
    /** A value under a long heading, which may break at its words. */
    LONG_NAMED
  }

  /** A column's heading and kind. */
  @JsonInclude(Include.NON_EMPTY)
  public record Column(String name, Kind kind) {
    public Column {
      name = orEmpty(name);
    }

    /** A column of names. */
    public static Column ofNames(String name) {
      return new Column(name, Kind.NAME);
    }

    /** A column of values. */
    public static Column of(String name) {
      return new Column(name, Kind.VALUE);
    }

    /** A column of values whose heading may break at its words. */
    public static Column ofLongName(String name) {
      return new Column(name, Kind.LONG_NAMED);
    }
  }

  /**
   * A cell.
   *
   * @param text what it says
   * @param small the line below: an interval, an explanation
   * @param value what its column is sorted by, where a table can be sorted; null if unknown
   * @param bad whether a reader must not overlook it
   * @param arm the arm whose line is drawn before the text; empty for none
   * @param mark a word in a frame behind the text
   * @param warning the same, of a kind not to be overlooked
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

    /** A text alone. */
    public static Cell of(String text) {
      return of(text, "");
    }

    /** A text and the line below it. */
    public static Cell of(String text, String small) {
      return new Cell(text, small, null, false, "", "", "");
    }

    /** A text and the value that its column is sorted by; NaN if it is unknown. */
    public static Cell of(String text, double value) {
      return new Cell(text, "", value, false, "", "", "");
    }

    /** The name of an arm, with its line. */
    public static Cell ofArm(String name) {
      return new Cell(name, "", null, false, name, "", "");
    }

    /** The same, to be noticed or not. */
    public Cell bad(boolean is) {
      return new Cell(text, small, value, is, arm, mark, warning);
    }

    /** The same with words in frames; empty for none. */
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

  /** A table of all loads and classes that needs no heading of its own. */
  public Table(String section, List<Column> columns, List<List<Cell>> rows) {
    this(section, "", "", "", "", columns, rows);
  }

  /** The same under a heading. */
  public Table titled(String newTitle) {
    return new Table(section, newTitle, fold, load, requestClass, columns, rows);
  }

  /** The same, folded under a line. */
  public Table folded(String newFold) {
    return new Table(section, title, newFold, load, requestClass, columns, rows);
  }

  /** The same of one load and class; empty for all. */
  public Table of(String newLoad, String newClass) {
    return new Table(section, title, fold, newLoad, newClass, columns, rows);
  }

  /** The rows of one load, without the column that says so; the same if there is no such column. */
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

  /** How many of the first columns are names. */
  int names() {
    return (int) columns.stream().takeWhile(column -> column.kind() == Kind.NAME).count();
  }

  /** The warning of each row; empty where it has none. */
  List<String> warnings() {
    return rows.stream()
        .map(row -> row.stream().map(Cell::warning).collect(Collectors.joining()))
        .toList();
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
