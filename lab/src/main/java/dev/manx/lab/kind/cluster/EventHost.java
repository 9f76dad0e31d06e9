/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

/**
 * Carries out events on the nodes of one turn, which count from 1. Any thread; every method may
 * block.
 */
interface EventHost {
  /** The id of a node's process. */
  long pid(int node);

  /** Stops or continues a node's process, by a signal. */
  void signal(int node, boolean stopped);

  /** Multiplies the time of a node's modelled storage by a factor. */
  void slow(int node, double times);

  /** Ends a node like a crash. */
  void kill(int node);

  /** Restarts a node on its data and returns once it serves with the turn's arm. */
  void restart(int node);

  /** Flushes a node's tables and merges all their files into one. */
  void compact(int node);
}
