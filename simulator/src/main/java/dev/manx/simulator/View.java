/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.FactSink;
import java.util.Arrays;

/**
 * One coordinator's knowledge of the nodes, as {@code ClusterState} with its {@code TicketTable}
 * keeps it on a real coordinator, in plain arrays: a run has one thread, and atomics and ticket
 * look-ups would cost more than the rest of a read. Tickets need no table here, because each read
 * carries its ticket.
 */
final class View implements ClusterView, FactSink {
  static final int COLUMNS = FactColumn.values().length;
  private static final long NO_STAMP = Long.MIN_VALUE;

  private final int[] reads;
  private final long[] workNanos;
  private final long[] values;
  private final long[] stamps;

  /**
   * Creates the view of nodes without load.
   *
   * @param facts whether facts of nodes are kept
   */
  View(int nodes, boolean facts) {
    reads = new int[nodes];
    workNanos = new long[nodes];
    values = new long[facts ? nodes * COLUMNS : 0];
    stamps = new long[values.length];
    Arrays.fill(stamps, NO_STAMP);
  }

  void opened(int node, long costNanos) {
    reads[node]++;
    workNanos[node] += costNanos;
  }

  void closed(int node, long costNanos) {
    reads[node]--;
    workNanos[node] -= costNanos;
  }

  void apply(int column, int node, long value, long nowNanos) {
    values[node * COLUMNS + column] = value;
    stamps[node * COLUMNS + column] = nowNanos;
  }

  @Override
  public void apply(FactColumn column, int node, long value, long atNanos) {
    values[place(column, node)] = value;
    stamps[place(column, node)] = atNanos;
  }

  /** Whether every ticket was closed. */
  boolean isIdle() {
    return Arrays.stream(reads).allMatch(n -> n == 0)
        && Arrays.stream(workNanos).allMatch(n -> n == 0);
  }

  @Override
  public int capacity() {
    return reads.length;
  }

  @Override
  public int outstandingReads(int node) {
    return reads[node];
  }

  @Override
  public long outstandingWorkNanos(int node) {
    return workNanos[node];
  }

  @Override
  public long value(FactColumn column, int node) {
    return values.length == 0 ? 0 : values[place(column, node)];
  }

  @Override
  public long ageNanos(FactColumn column, int node, long nowNanos) {
    long stamp = stamps.length == 0 ? NO_STAMP : stamps[place(column, node)];
    return stamp == NO_STAMP ? NEVER : nowNanos - stamp;
  }

  // Columns are never stored or sent, so their ordinal may serve as an index.
  @SuppressWarnings("EnumOrdinal")
  private static int place(FactColumn column, int node) {
    return node * COLUMNS + column.ordinal();
  }
}
