/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** Receives the tickets that a sweep closed. */
@FunctionalInterface
public interface TicketSink {
  /** Receives one ticket; the holder is reused when this returns. Called without a table lock. */
  void closed(Ticket ticket);
}
