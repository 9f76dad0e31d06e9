/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

/** How a statement came, and whether its client is known to have the rights that it takes. */
enum Arrival {
  /** With its text. */
  SIMPLE(false, false),
  /** By the id of a prepared statement. */
  PREPARED(true, false),
  /** With its text; Cassandra has authorized the client. */
  SIMPLE_AUTHORIZED(false, true),
  /** By the id of a prepared statement; Cassandra has authorized the client. */
  PREPARED_AUTHORIZED(true, true);

  private final boolean prepared;
  private final boolean authorized;

  Arrival(boolean prepared, boolean authorized) {
    this.prepared = prepared;
    this.authorized = authorized;
  }

  /** Whether the same statement comes again as the same object. */
  boolean isPrepared() {
    return prepared;
  }

  /** Whether the client is known to have the rights; if not, Manx asks before it evaluates keys. */
  boolean isAuthorized() {
    return authorized;
  }
}
