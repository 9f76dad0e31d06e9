/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.Arrays;

/** A cluster state set by a test. */
@SuppressWarnings("EnumOrdinal")
public final class FakeView implements ClusterView {
  public final int[] reads;
  public final long[] workNanos;
  public final long[] identities;
  public final long[][] values;
  // The facts reported by each node.
  public final long[] agesNanos;

  public FakeView(int capacity) {
    reads = new int[capacity];
    workNanos = new long[capacity];
    identities = new long[capacity];
    Arrays.setAll(identities, node -> node);
    agesNanos = new long[capacity];
    values = new long[FactColumn.values().length][capacity];
    Arrays.stream(values).forEach(column -> Arrays.fill(column, -1));
  }

  public FakeView set(FactColumn column, int node, long value) {
    values[column.ordinal()][node] = value;
    return this;
  }

  @Override
  public int capacity() {
    return reads.length;
  }

  @Override
  public long identity(int node) {
    return identities[node];
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
    return Math.max(0, values[column.ordinal()][node]);
  }

  @Override
  public long ageNanos(FactColumn column, int node, long nowNanos) {
    return values[column.ordinal()][node] < 0 ? NEVER : agesNanos[node];
  }
}
