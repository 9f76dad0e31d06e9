/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.hold.Departures;
import dev.manx.cassandra.hold.HeldRead;
import dev.manx.cassandra.hold.RequestHolds;
import org.apache.cassandra.concurrent.ExecutorLocals;

/** A read of this node's own data that waits before it enters the read stage. */
final class HeldOwnRead extends HeldRead {
  private final ReadStage stage;
  private final Departures departures;
  private final Runnable stock;
  private final ExecutorLocals locals;
  private final PlannedRead planned;
  private final long ticket;
  private volatile Runnable task;
  private volatile QueuedRead read;

  /**
   * @param stock the runnable that Cassandra passed to the stage
   * @param locals locals of its request's thread
   * @param ticket its ticket's id
   */
  HeldOwnRead(
      Engine engine,
      RequestHolds request,
      ReadStage stage,
      Departures departures,
      Runnable stock,
      ExecutorLocals locals,
      PlannedRead planned,
      long ticket) {
    super(engine, request);
    this.stage = stage;
    this.departures = departures;
    this.stock = stock;
    this.locals = locals;
    this.planned = planned;
    this.ticket = ticket;
  }

  @Override
  protected boolean take(boolean over) {
    // Nothing else runs it if this fails: then its request's statistics include the hold.
    task = stock;
    if (isSpared(() -> departures.isAnswered(stock)) || over) {
      return false;
    }
    restamp();
    return true;
  }

  private void restamp() {
    try {
      task = departures.later(stock);
    } catch (Throwable t) {
      engine().guard().survived("the start of a held read", t);
    }
  }

  @Override
  protected int answers() {
    return departures.answers(stock);
  }

  @Override
  protected void count(Engine now) throws Throwable {
    read = stage.describeHeld(now, task, locals, planned, ticket);
  }

  @Override
  protected void go(Engine now) {
    stage.enter(now, read, task, locals);
  }
}
