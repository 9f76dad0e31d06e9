/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Notices between the two replicas of a read. A notice may be lost, late, or overtake the copy that
 * it refers to. Any thread.
 */
interface Notices {
  /** Notifies the first replica: its copy has started here. */
  void started(Engine engine, InetAddressAndPort first, long copyId);

  /** Notifies the peer: the read has started here, and its copy need not. */
  void recalled(Engine engine, InetAddressAndPort peer, long copyId);
}
