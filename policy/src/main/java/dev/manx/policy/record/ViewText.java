/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A {@link FrozenView} as text: nodes separated by {@code ;}, for each node its id, outstanding
 * reads, outstanding work, a {@code value@age} for each column, or {@code -} if no fact arrived,
 * and its identity in hexadecimal, or {@code -} if that is its id.
 */
final class ViewText {
  private static final FactColumn[] COLUMNS = FactColumn.values();
  private static final String IDENTITY = "identity";
  private static final int FIRST = 3;

  private ViewText() {}

  /** The names of the columns, for a log's head. */
  static String columns() {
    return Arrays.stream(COLUMNS).map(ViewText::name).collect(Collectors.joining(","))
        + ","
        + IDENTITY;
  }

  private static String name(FactColumn column) {
    return column.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String write(FrozenView view, long nowNanos) {
    StringBuilder text = new StringBuilder();
    for (int node : view.nodes()) {
      text.append(text.isEmpty() ? "" : ";").append(node);
      text.append(':').append(view.outstandingReads(node));
      text.append(':').append(view.outstandingWorkNanos(node));
      for (FactColumn column : COLUMNS) {
        long age = view.ageNanos(column, node, nowNanos);
        if (age == ClusterView.NEVER) {
          text.append(":-");
        } else {
          text.append(':').append(view.value(column, node)).append('@').append(age);
        }
      }
      long identity = view.identity(node);
      text.append(':').append(identity == node ? "-" : Long.toHexString(identity));
    }
    return text.toString();
  }

  /**
   * Reads the output of {@link #write}.
   *
   * @param columns the names of the columns in the log's head; unknown names are skipped
   * @throws IllegalArgumentException if it is not valid
   */
  static FrozenView read(String text, List<String> columns, int capacity, long nowNanos) {
    String[] parts = text.isEmpty() ? new String[0] : text.split(";", -1);
    int[] nodes = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      nodes[i] = Integer.parseInt(parts[i].substring(0, parts[i].indexOf(':')));
    }
    FrozenView view = new FrozenView(nodes.clone(), capacity, nowNanos);
    for (int i = 0; i < parts.length; i++) {
      String[] fields = parts[i].split(":", -1);
      int place = Arrays.binarySearch(view.nodes(), nodes[i]);
      view.set(place, Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
      for (int column = 0; column < COLUMNS.length; column++) {
        String field = field(fields, columns.indexOf(name(COLUMNS[column])));
        if (field.equals("-")) {
          continue;
        }
        int sign = field.indexOf('@');
        long value = Long.parseLong(field.substring(0, sign));
        view.set(place, column, value, Long.parseLong(field.substring(sign + 1)));
      }
      String identity = field(fields, columns.indexOf(IDENTITY));
      if (!identity.equals("-")) {
        view.identity(place, Long.parseUnsignedLong(identity, 16));
      }
    }
    return view;
  }

  /** The field of a column; without a value if the log lacks it. */
  private static String field(String[] fields, int column) {
    int at = column + FIRST;
    return column < 0 || at >= fields.length ? "-" : fields[at];
  }
}
