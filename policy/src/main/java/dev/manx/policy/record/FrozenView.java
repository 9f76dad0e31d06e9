/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.Arrays;

/**
 * Some nodes' facts at one moment. A recorded decision is made on this view, so that the log holds
 * the exact basis of the decision even while other threads update the live view. All other nodes
 * are unknown here. Immutable once filled.
 */
public final class FrozenView implements ClusterView {
  private static final FactColumn[] COLUMNS = FactColumn.values();

  private final int capacity;
  private final long atNanos;
  private final int[] nodes;
  private final long[] identities;
  private final int[] reads;
  private final long[] workNanos;
  private final long[] values;
  private final long[] ages;

  /**
   * Creates a view without facts of its nodes, whose ids are their identities.
   *
   * @param nodes ids, which this object sorts and keeps
   * @param capacity node ids are below this
   * @param atNanos the moment
   */
  FrozenView(int[] nodes, int capacity, long atNanos) {
    Arrays.sort(nodes);
    this.nodes = nodes;
    this.capacity = capacity;
    this.atNanos = atNanos;
    identities = Arrays.stream(nodes).asLongStream().toArray();
    reads = new int[nodes.length];
    workNanos = new long[nodes.length];
    values = new long[nodes.length * COLUMNS.length];
    ages = new long[values.length];
    Arrays.fill(ages, NEVER);
  }

  /** Copies a view's present facts of some nodes; repeated ids count once. */
  static FrozenView of(ClusterView view, int[] ids, long nowNanos) {
    int[] nodes = Arrays.stream(ids).distinct().toArray();
    FrozenView frozen = new FrozenView(nodes, view.capacity(), nowNanos);
    for (int i = 0; i < nodes.length; i++) {
      frozen.identity(i, view.identity(nodes[i]));
      frozen.set(i, view.outstandingReads(nodes[i]), view.outstandingWorkNanos(nodes[i]));
      for (int column = 0; column < COLUMNS.length; column++) {
        FactColumn fact = COLUMNS[column];
        long age = view.ageNanos(fact, nodes[i], nowNanos);
        frozen.set(i, column, view.value(fact, nodes[i]), age);
      }
    }
    return frozen;
  }

  void identity(int place, long identity) {
    identities[place] = identity;
  }

  void set(int place, int outstandingReads, long outstandingWorkNanos) {
    reads[place] = outstandingReads;
    workNanos[place] = outstandingWorkNanos;
  }

  void set(int place, int column, long value, long ageNanos) {
    // A fact may arrive after its age was read and before its value is read; the log then holds no
    // value.
    values[place * COLUMNS.length + column] = ageNanos == NEVER ? 0 : value;
    ages[place * COLUMNS.length + column] = ageNanos;
  }

  /** The known nodes, ascending; must not be modified. */
  int[] nodes() {
    return nodes;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public long identity(int node) {
    int place = Arrays.binarySearch(nodes, node);
    return place < 0 ? node : identities[place];
  }

  @Override
  public int outstandingReads(int node) {
    int place = Arrays.binarySearch(nodes, node);
    return place < 0 ? 0 : reads[place];
  }

  @Override
  public long outstandingWorkNanos(int node) {
    int place = Arrays.binarySearch(nodes, node);
    return place < 0 ? 0 : workNanos[place];
  }

  @Override
  public long value(FactColumn column, int node) {
    int place = place(column, node);
    return place < 0 ? 0 : values[place];
  }

  @Override
  public long ageNanos(FactColumn column, int node, long nowNanos) {
    int place = place(column, node);
    if (place < 0 || ages[place] == NEVER) {
      return NEVER;
    }
    return ages[place] + Math.max(0, nowNanos - atNanos);
  }

  // Columns are written by name, so their ordinal may serve as an index.
  @SuppressWarnings("EnumOrdinal")
  private int place(FactColumn column, int node) {
    int place = Arrays.binarySearch(nodes, node);
    return place < 0 ? -1 : place * COLUMNS.length + column.ordinal();
  }
}
