/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.concurrent.DebuggableTask.RunnableDebuggableTask;

/**
 * Represents a read in the stock stage's queue: when its turn comes it runs the first read of the
 * order, or the read that it is bound to. One ticket per read, so the stage's threads, permits,
 * metrics and limits count as in stock.
 */
final class ReadTicket implements RunnableDebuggableTask {
  private final ReadStage stage;
  private final long createdNanos;
  private volatile QueuedRead read;
  private volatile long startedNanos;

  /** Creates a ticket for the first read of the order. */
  ReadTicket(ReadStage stage, long createdNanos) {
    this.stage = stage;
    this.createdNanos = createdNanos;
  }

  /** Creates a ticket for one read that need not wait. */
  ReadTicket(QueuedRead bound) {
    this.stage = null;
    this.createdNanos = bound.arrivalNanos;
    this.read = bound;
  }

  /** Whether it is bound to one read. */
  boolean isBound() {
    return stage == null;
  }

  /** Whether it is bound to a read that another replica may answer first. */
  boolean mayBeCopied() {
    return isBound() && read.mayBeCopied();
  }

  @Override
  public void run() {
    startedNanos = System.nanoTime();
    if (stage == null) {
      read.run();
      return;
    }
    QueuedRead next = stage.next();
    if (next == null) {
      return;
    }
    read = next;
    try {
      stage.left(next);
    } finally {
      // The read has left the queue, and no other ticket would run it.
      next.run();
    }
  }

  // system_views.queries shows all running tasks of this kind. A local read has its own
  // description, as in stock; stock does not show other reads, but which read a ticket will run is
  // not known when it is submitted.
  private DebuggableTask shown() {
    QueuedRead running = read;
    return running == null ? null : running.debuggable();
  }

  @Override
  public long creationTimeNanos() {
    DebuggableTask task = shown();
    return task == null ? createdNanos : task.creationTimeNanos();
  }

  @Override
  public long startTimeNanos() {
    DebuggableTask task = shown();
    return task == null ? startedNanos : task.startTimeNanos();
  }

  @Override
  public String description() {
    DebuggableTask task = shown();
    return task == null ? "read for another coordinator" : task.description();
  }
}
