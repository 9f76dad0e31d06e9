/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.concurrent.DebuggableTask.RunnableDebuggableTask;

/**
 * Stands in the stock stage's queue for a read: when its turn comes it runs the read that the order
 * puts first, or the one that it is bound to. One ticket per read, so the stage's threads, permits,
 * metrics and limits count as ever.
 */
final class ReadTicket implements RunnableDebuggableTask {
  private final ReadStage stage;
  private final long createdNanos;
  private volatile QueuedRead read;
  private volatile long startedNanos;

  /** A ticket for whatever the order puts first. */
  ReadTicket(ReadStage stage, long createdNanos) {
    this.stage = stage;
    this.createdNanos = createdNanos;
  }

  /** A ticket for one read that need not wait. */
  ReadTicket(QueuedRead bound) {
    this.stage = null;
    this.createdNanos = bound.arrivalNanos;
    this.read = bound;
  }

  /** Whether it runs one certain read. */
  boolean isBound() {
    return stage == null;
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
      // It has left the queue, and no other ticket would run it.
      next.run();
    }
  }

  // system_views.queries shows what runs; a local read tells its own story, as it would in stock.
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
