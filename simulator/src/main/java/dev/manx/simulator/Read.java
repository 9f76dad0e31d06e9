/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.hold.RoutedOp;

/**
 * One copy of a read on its way from its coordinator to a replica and back. Reused once nothing
 * refers to it any more.
 */
final class Read extends RoutedOp {
  /** Where it is. */
  enum Place {
    /** At its coordinator, or under way to a replica. */
    AWAY,
    /** In a replica's queue. */
    QUEUED,
    /** On a core, or behind it. */
    SERVED,
    /** Cancelled. */
    CANCELLED
  }

  /** Its index in the pool, the payload of its events. */
  final int index;

  /** Unique in the run. */
  long number;

  /** Its own way, and timers and messages about it, that are not over. */
  int holds;

  Place place;

  /** Whether it was answered, lost or cancelled. */
  boolean isOver;

  Flight flight;
  int coordinator;
  long keyHash;
  int bytes;
  boolean large;

  /** The coordinator's forecast. */
  long forecastNanos;

  /** Service time at speed 1, without a miss. */
  long baseNanos;

  /** Whether its coordinator counts it as outstanding. */
  boolean ticketOpen;

  /** Leaves after this one, where the reads of a request leave one after another. */
  Read after;

  /** Null for the one copy of most reads. */
  Twins twins;

  /** What a read that asks several replicas waits for; null if it asks one. */
  Quorum quorum;

  /** The same read at the next of the replicas that it asks; they leave together. */
  Read beside;

  long sentNanos;

  /** When it came, by the one true clock; its node may have stepped its own. */
  long arrivedNanos;

  long startNanos;

  /** The place among those that are served at once. */
  int core;

  /** How long the node had stood still when its service began. */
  long pausedBeforeNanos;

  /** The node's facts at the end of the service, by column. */
  final long[] facts = new long[View.COLUMNS];

  Read(int index) {
    this.index = index;
  }

  /**
   * Becomes another copy of a read, with nothing of its fate. It stands by itself at the other
   * node: with its request's id it would go before cheaper reads of the same request that are
   * there.
   */
  void copyOf(Read other, int otherNode) {
    flight = other.flight;
    coordinator = other.coordinator;
    node = otherNode;
    keyHash = other.keyHash;
    bytes = other.bytes;
    large = other.large;
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
