/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;

/**
 * A read in this node's queue that another replica may serve instead, as long as it has not
 * started. Any thread.
 */
public abstract class TiedRead {
  final Engine engine;
  final ReadClaim claim = new ReadClaim();
  private final long costNanos;

  /**
   * @param costNanos its cost in the queue's work
   */
  protected TiedRead(Engine engine, long costNanos) {
    this.engine = engine;
    this.costNanos = costNanos;
  }

  /** The time that it had waited at another node before. */
  public long ageNanos() {
    return 0;
  }

  /** Records that it waits, and adds it to the queue's work. */
  public abstract void queued();

  /** Starts it when its turn has come; false if it must not run here. */
  public abstract boolean start();

  /** Cedes it to the other replica: removes it from the queue's work. */
  final boolean cede() {
    boolean ceded = claim.cede();
    if (ceded) {
      engine.load().ceded(costNanos);
    }
    return ceded;
  }

  /**
   * Takes the read back after the other replica failed it; false if its turn here was skipped, or
   * it was not ceded.
   */
  final boolean giveBack() {
    // Before it may start, which removes it from the queue's work again.
    engine.load().takenBack(costNanos);
    boolean given = claim.giveBack();
    if (!given) {
      engine.load().ceded(costNanos);
    }
    return given;
  }
}
