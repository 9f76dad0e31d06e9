/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** Where facts of nodes are stored. */
@FunctionalInterface
public interface FactSink {
  /**
   * Stores a fact's number.
   *
   * @param atNanos when the node reported it, on the clock of the one who stores it
   */
  void apply(FactColumn column, int node, long value, long atNanos);
}
