/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** Hears of tickets that a sweep closed. */
@FunctionalInterface
public interface TicketSink {
  /** One ticket; the holder is reused as soon as this returns. Called with no table lock held. */
  void closed(Ticket ticket);
}
