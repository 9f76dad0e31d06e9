/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.hold.RoutedOp;

/** One copy of a read, from its coordinator to a replica and back. Reused once unreferenced. */
final class Read extends RoutedOp {
  /** The stage of a read. */
  enum Place {
    /** At its coordinator, or in transit to a replica. */
    AWAY,
    /** In a replica's queue. */
    QUEUED,
    /** On a core, or finished. */
    SERVED,
    /** Cancelled. */
    CANCELLED
  }

  /** Its index in the pool, the payload of its events. */
  final int index;

  /** Unique in the run. */
  long number;

  /** Pending references: its path, and timers and messages about it. */
  int holds;

  Place place;

  /** Whether it was answered, lost or cancelled. */
  boolean isOver;

  Flight flight;
  int coordinator;
  long keyHash;
  int bytes;

  /** The coordinator's forecast. */
  long forecastNanos;

  /** Service time at speed 1, without a miss. */
  long baseNanos;

  /** Whether its coordinator counts this copy as outstanding. */
  boolean ticketOpen;

  /** The read to send after this one, if the reads of a request are sent one after another. */
  Read after;

  /** The copies of the read; null for reads with a single copy. */
  Twins twins;

  /** The awaited answers of a read at several replicas; null for a read at one replica. */
  Quorum quorum;

  /** This read at its next replica; both are sent together. */
  Read nextContact;

  long sentNanos;

  /** Arrival by the true clock; the node's clock may have stepped. */
  long arrivedNanos;

  long startNanos;

  /** Time of its complete service as credits count it, with pauses if it has a separate core. */
  long servedNanos;

  /** The slot among the reads being served. */
  int core;

  /** Total pause of the node at the start of its service, if it has a separate core. */
  long pausedAtStartNanos;

  /** The part of the node's total pause that its scheduled end allows for. */
  long pausedBeforeNanos;

  /**
   * The time of its next valid end event, if it has a separate core; end events at other times are
   * out of date.
   */
  long endNanos;

  /** Whether its value is loaded for it; set when it starts, or when its loader is stopped. */
  boolean loads;

  /** End of its miss, or of the miss that it waits for, if it has a separate core; or 0. */
  double missEndNanos;

  /** Work after its miss if it shares cores. */
  double afterMissNanos;

  /** Service left when its end was due in a pause. */
  long leftNanos;

  /** The node's facts at the end of the service, by column. */
  final long[] facts = new long[View.COLUMNS];

  Read(int index) {
    this.index = index;
  }

  /**
   * Becomes another copy of a read, without its progress. A copy has no request id at the other
   * node: with the id, it would precede cheaper reads of the same request there.
   */
  void copyOf(Read other, int otherNode) {
    flight = other.flight;
    coordinator = other.coordinator;
    node = otherNode;
    keyHash = other.keyHash;
    bytes = other.bytes;
    forecastNanos = other.forecastNanos;
    baseNanos = other.baseNanos;
    twins = other.twins;
    priority = other.priority;
    slack = other.slack;
    level = other.level;
    costNanos = other.costNanos;
    requestId = 0;
  }
}
