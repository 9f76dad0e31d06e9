/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.timer.Daemons;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Delivers a channel's received messages in order, on a separate thread that ends when idle. An
 * invalidation runs application code ({@link KeyText}, {@code hashCode} of keys), which may hang
 * and must not block the channel. Thread-safe; no method blocks.
 */
public final class Inbox implements InvalidationChannel.Listener, AutoCloseable {
  /** Maximum size of waiting messages; beyond it all waiting messages count as lost. */
  static final int MOST_BYTES = 4 << 20;

  /** Overhead of one message: its entry, the array's head, and a place in the queue. */
  private static final int OVERHEAD_BYTES = 64;

  private static final long IDLE_SECONDS = 10;

  /** A message, or the reason why messages may have been lost. */
  private record Arrival(byte[] message, String broken) {
    int heldBytes() {
      return OVERHEAD_BYTES + (message == null ? 0 : message.length);
    }
  }

  private final InvalidationChannel.Listener listener;
  private final ThreadPoolExecutor thread;

  // Guarded by this.
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private int bytes;
  private boolean running;
  private boolean closed;

  /**
   * Creates an inbox; its thread starts with the first message.
   *
   * @param listener called only on that thread
   */
  public Inbox(InvalidationChannel.Listener listener) {
    this.listener = listener;
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.single("manx-received"));
    thread.allowCoreThreadTimeOut(true);
  }

  @Override
  public void received(byte[] message) {
    arrived(new Arrival(message, null));
  }

  @Override
  public void broken(String why) {
    arrived(new Arrival(null, why));
  }

  private void arrived(Arrival arrival) {
    synchronized (this) {
      if (closed) {
        return;
      }
      add(arrival);
      if (bytes > MOST_BYTES) {
        // Removing all keys covers all dropped messages.
        clear();
        add(new Arrival(null, "too many messages of other servers are waiting"));
      }
      if (running) {
        return;
      }
      running = true;
    }
    try {
      thread.execute(this::handOn);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be created: the next message tries again.
      idle();
    }
  }

  private void add(Arrival arrival) {
    waiting.add(arrival);
    bytes += arrival.heldBytes();
  }

  private void clear() {
    waiting.clear();
    bytes = 0;
  }

  private void handOn() {
    for (Arrival next = next(); next != null; next = next()) {
      try {
        if (next.message == null) {
          listener.broken(next.broken);
        } else {
          listener.received(next.message);
        }
      } catch (Throwable e) {
        // The other messages must be delivered; their numbers reveal the missing one.
        Thread here = Thread.currentThread();
        here.getUncaughtExceptionHandler().uncaughtException(here, e);
      }
    }
  }

  private synchronized Arrival next() {
    Arrival next = waiting.poll();
    running = next != null;
    bytes -= next == null ? 0 : next.heldBytes();
    return next;
  }

  private synchronized void idle() {
    running = false;
  }

  /** Drops waiting messages. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      clear();
    }
    thread.shutdown();
  }
}
