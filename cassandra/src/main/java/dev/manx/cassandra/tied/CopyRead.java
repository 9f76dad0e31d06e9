/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.locator.InetAddressAndPort;

/** A copy that waits at the peer of the replica that passed it on. */
final class CopyRead extends TiedRead {
  /** Its identity: the replica that passed it on, and the id assigned by that replica. */
  record Key(InetAddressAndPort first, long id) {}

  final Key key;
  final long expiresNanos;
  private final CopiesHere copies;
  private final long ageNanos;

  CopyRead(
      Engine engine, CopiesHere copies, Key key, long costNanos, long ageNanos, long expiresNanos) {
    super(engine, costNanos);
    this.copies = copies;
    this.key = key;
    this.ageNanos = ageNanos;
    this.expiresNanos = expiresNanos;
  }

  @Override
  public long ageNanos() {
    return ageNanos;
  }

  @Override
  public void queued() {
    copies.queued(this);
  }

  @Override
  public boolean start() {
    copies.leaves(this);
    return claim.start();
  }
}
