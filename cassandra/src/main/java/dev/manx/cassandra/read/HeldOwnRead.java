/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.hold.Departures;
import dev.manx.cassandra.hold.HeldRead;
import dev.manx.cassandra.hold.RequestHolds;
import dev.manx.policy.facts.Ticket;
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
  // Behind this object's lock.
  private QueuedRead read;
  private boolean entered;

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
    QueuedRead described = stage.describeHeld(now, task, locals, planned, ticket);
    if (!keeps(described)) {
      // Another thread has let it enter without this description.
      described.refused();
    }
  }

  private synchronized boolean keeps(QueuedRead described) {
    read = described;
    return !entered;
  }

  private synchronized QueuedRead enters() {
    entered = true;
    return read;
  }

  @Override
  protected void go(Engine now) {
    QueuedRead described = enters();
    stage.enter(now, described, task, locals);
    if (described == null && now != null) {
      // Its description may have failed, or not have returned, after it had opened the ticket.
      now.closed(ticket, now.self(), Outcome.CANCELLED, new Ticket());
    }
  }
}
