/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.exchange;

import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.FactSink;

/**
 * Some nodes of the state, by their places in a message instead of their ids here. An unknown node
 * gets no facts: its facts seem younger than any others.
 *
 * @param state this node's state
 * @param ids of the nodes, by place; negative for an unknown node
 */
record NamedNodes(ClusterState state, int[] ids) implements ClusterView, FactSink {
  @Override
  public int capacity() {
    return ids.length;
  }

  @Override
  public long identity(int place) {
    return ids[place] < 0 ? place : state.identity(ids[place]);
  }

  @Override
  public int outstandingReads(int place) {
    return ids[place] < 0 ? 0 : state.outstandingReads(ids[place]);
  }

  @Override
  public long outstandingWorkNanos(int place) {
    return ids[place] < 0 ? 0 : state.outstandingWorkNanos(ids[place]);
  }

  @Override
  public long value(FactColumn column, int place) {
    return ids[place] < 0 ? 0 : state.value(column, ids[place]);
  }

  @Override
  public long ageNanos(FactColumn column, int place, long nowNanos) {
    return ids[place] < 0 ? 0 : state.ageNanos(column, ids[place], nowNanos);
  }

  @Override
  public void apply(FactColumn column, int place, long value, long atNanos) {
    if (ids[place] >= 0) {
      state.apply(column, ids[place], value, atNanos);
    }
  }
}
