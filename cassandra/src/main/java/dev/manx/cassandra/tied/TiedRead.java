/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;

/**
 * A read in this node's queue that another replica may serve instead, as long as it has not
 * started. Any thread.
 */
public abstract class TiedRead {
  final Engine engine;
  final Claim claim = new Claim();
  private final long costNanos;

  /**
   * @param costNanos as it counts in the queue's work
   */
  protected TiedRead(Engine engine, long costNanos) {
    this.engine = engine;
    this.costNanos = costNanos;
  }

  /** How long it had waited elsewhere before. */
  public long ageNanos() {
    return 0;
  }

  /** It waits from now on, and counts in the queue's work. */
  public abstract void queued();

  /** Its turn has come; false if it is not to run here. */
  public abstract boolean start();

  /** The other replica serves it: its work is gone from the queue. */
  final boolean cede() {
    boolean ceded = claim.cede();
    if (ceded) {
      engine.load().dropped(costNanos);
    }
    return ceded;
  }

  /** The other replica failed it: false if its turn here has gone by, or it was not ceded. */
  final boolean giveBack() {
    // Before it may start, which takes it out of the queue's work again.
    engine.load().enqueued(costNanos);
    boolean given = claim.giveBack();
    if (!given) {
      engine.load().dropped(costNanos);
    }
    return given;
  }
}
