/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * The nodes as a coordinator knows them when it decides: its own outstanding reads (exact, live)
 * and the facts that nodes reported (each with its age). Methods read live primitive values without
 * a snapshot object, so a decision allocates nothing. Any thread may call every method.
 */
public interface ClusterView {
  /** The age of a fact that never arrived. */
  long NEVER = Long.MAX_VALUE;

  /** Node ids are below this. */
  int capacity();

  /**
   * A number for a node that all coordinators share and that outlives restarts, for choices that
   * must be the same at all coordinators. On a node of Cassandra it is a hash of the other node's
   * address and port, since each coordinator numbers nodes as it meets them; where ids are equal
   * everywhere, as in the simulator, it is the id.
   */
  default long identity(int node) {
    return node;
  }

  /** Open reads of this coordinator at a node. */
  int outstandingReads(int node);

  /** Total forecast service time of those reads in nanoseconds, as forecast when they were sent. */
  long outstandingWorkNanos(int node);

  /** The last value of a fact's column that a node reported; 0 if it reported none. */
  long value(FactColumn column, int node);

  /** How long ago that value arrived, in nanoseconds; {@link #NEVER} if none arrived. */
  long ageNanos(FactColumn column, int node, long nowNanos);
}
