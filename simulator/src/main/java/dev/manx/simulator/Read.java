/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.order.Op;

/** One copy of a read on its way from its coordinator to a replica and back. Reused. */
final class Read extends Op {
  /** Its place in the pool, the payload of its events. */
  final int index;

  /** Unique in the run. */
  long number;

  Flight flight;
  int coordinator;
  int node;

  /** The first of its replicas. */
  int home;

  long keyHash;
  int bytes;
  boolean large;

  /** The coordinator's forecast. */
  long forecastNanos;

  /** Service time at speed 1, without a miss. */
  long baseNanos;

  long sentNanos;
  long startNanos;

  /** The core that serves it. */
  int core;

  /** How long the node had stood still when its service began. */
  long pausedBeforeNanos;

  /** The node's facts at the end of the service, by column. */
  final long[] facts = new long[View.COLUMNS];

  Read(int index) {
    this.index = index;
  }
}
