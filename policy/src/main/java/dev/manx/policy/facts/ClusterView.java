/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * The nodes as a coordinator knows them when it decides: outstanding reads of its own (exact, live)
 * and facts that nodes reported (each with its age). Primitive reads of live values, no snapshot
 * object: a decision allocates nothing. Any thread may call every method.
 */
public interface ClusterView {
  /** The age of a fact that never arrived. */
  long NEVER = Long.MAX_VALUE;

  /** Node ids are below this. */
  int capacity();

  /** Reads this coordinator sent to a node that are not yet closed. */
  int outstandingReads(int node);

  /** Forecast service time of those reads, in nanoseconds, as forecast when they were sent. */
  long outstandingWorkNanos(int node);

  /** The last value of a fact's column that a node reported; 0 if it never did. */
  long value(FactColumn column, int node);

  /** How long ago that value arrived, in nanoseconds; {@link #NEVER} if it never did. */
  long ageNanos(FactColumn column, int node, long nowNanos);
}
