/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

/** Does things to the nodes of one turn, which count from 1. Any thread; every method may block. */
interface EventHost {
  /** Its process. */
  long pid(int node);

  /** Stops a node's process, or lets it go on, as a signal does. */
  void signal(int node, boolean stopped);

  /** Lets the modelled storage of a node take so many times as long as the experiment says. */
  void slow(int node, double times);

  /** Ends a node as a crash does. */
  void kill(int node);

  /** Starts a node again on its data and returns when it serves as the turn's arm wants. */
  void restart(int node);

  /** Flushes a node's tables and merges all their files into one. */
  void compact(int node);
}
