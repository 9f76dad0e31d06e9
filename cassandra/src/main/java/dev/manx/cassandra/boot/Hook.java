/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.Locale;

/** A place in Cassandra's path that Manx may take over. */
enum Hook {
  /** The whole request: plans and unpaging. */
  QUERY_HANDLER,
  /** The order of replicas. */
  SNITCH,
  /** The queue of the READ stage. */
  READ_STAGE,
  /** Tags out, tickets opened, facts out. */
  OUTBOUND,
  /** Facts in, tickets closed, sizes learnt. */
  INBOUND,
  /** Death and departure of peers. */
  GOSSIP,
  /** The read latencies used by speculative retry and shown to operators. */
  TABLE_TIMERS,
  /** The callbacks that wait for a read, so that another replica's answer can end the wait. */
  COPIES,
  /** The departure of reads that waited at their coordinator. */
  HOLDS;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a hook is in the path. */
  enum State {
    /** Out of the path, as stock. */
    STOCK,
    /** In the path. */
    INSTALLED,
    /** Failed its check or its installation: stays stock. */
    FAILED
  }
}
